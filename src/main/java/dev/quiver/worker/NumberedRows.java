package dev.quiver.worker;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.engine.Table;
import dev.quiver.engine.TableBatch;
import dev.quiver.memory.LittleEndian;
import dev.quiver.worker.protocol.StoredTable.Numbering;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Some columns and batches of a version, with a last column that numbers their rows.
final class NumberedRows implements Table {

  private final MappedVersion version;
  private final Numbering numbering;
  private final Field number;
  private final Schema schema;

  NumberedRows(MappedVersion version, Numbering numbering) {
    this.version = version;
    this.numbering = numbering;
    this.number = Field.of(numbering.name(), false, new ArrowType.Int(64, true));
    List<Field> fields = new ArrayList<>();
    for (int column : numbering.columns()) {
      fields.add(version.schema().fields().get(column));
    }
    fields.add(number);
    this.schema = version.schema().withFields(fields);
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public long rowCount() {
    return version.rowCount();
  }

  @Override
  public int batchCount() {
    return numbering.batches().length;
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    int[] stored =
        Arrays.stream(columnIndices)
            .filter(column -> column < numbering.columns().length)
            .map(column -> numbering.columns()[column])
            .toArray();
    boolean isNumbered = stored.length < columnIndices.length;
    TableBatch batch = version.read(numbering.batches()[batchIndex], stored);
    return isNumbered ? numbered(batch, numbering.firstRows()[batchIndex]) : batch;
  }

  private TableBatch numbered(TableBatch batch, long firstRow) {
    RecordBatch rows = batch.rows();
    Arena arena = Arena.ofShared();
    MemorySegment numbers = arena.allocate(rows.length() * Long.BYTES, Long.BYTES);
    for (long i = 0; i < rows.length(); i++) {
      LittleEndian.setInt64(numbers, i * Long.BYTES, firstRow + i);
    }
    List<ArrayData> columns = new ArrayList<>(rows.columns());
    columns.add(
        new ArrayData(
            number, rows.length(), 0, List.of(MemorySegment.NULL, numbers), List.of(), null));
    List<Field> fields = new ArrayList<>(rows.schema().fields());
    fields.add(number);
    return new NumberedBatch(
        new RecordBatch(rows.schema().withFields(fields), rows.length(), columns), batch, arena);
  }

  /// A batch with its numbers, whose memory lives until it is closed.
  private record NumberedBatch(RecordBatch rows, TableBatch batch, Arena arena)
      implements TableBatch {

    @Override
    public boolean outlivesClose() {
      return batch.outlivesClose();
    }

    @Override
    public void close() {
      arena.close();
      batch.close();
    }
  }
}
