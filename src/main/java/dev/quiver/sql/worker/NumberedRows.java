package dev.quiver.sql.worker;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.transform.TakenRows;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.engine.TableBatch;
import dev.quiver.sql.worker.StoredTable.Numbering;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Some columns and rows of a version, with a last column that numbers the rows.
final class NumberedRows extends VersionRows {

  private final Numbering numbering;
  private final Field number;

  NumberedRows(MappedVersion version, Numbering numbering) {
    super(version, schema(version.schema(), numbering));
    this.numbering = numbering;
    this.number = schema().fields().getLast();
  }

  private static Schema schema(Schema stored, Numbering numbering) {
    List<Field> fields = new ArrayList<>();
    for (int column : numbering.columns()) {
      Field field = stored.fields().get(column);
      fields.add(field.withName(ColumnNames.ofColumn(column, field.name())));
    }
    fields.add(Field.of(numbering.name(), false, new ArrowType.Int(64, true)));
    return stored.withFields(fields);
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    int[] stored =
        Arrays.stream(columnIndices)
            .filter(column -> column < numbering.columns().length)
            .map(column -> numbering.columns()[column])
            .toArray();
    boolean isNumbered = stored.length < columnIndices.length;
    long[] selected = numbering.rows()[batchIndex];
    if (!isNumbered && selected.length == 0) {
      return version.read(batchIndex, stored);
    }
    return derived(
        batchIndex,
        stored,
        (batch, arena) -> {
          RecordBatch rows = batch.rows();
          SlotRanges ranges = ranges(selected, rows.length(), arena);
          RecordBatch taken = selected.length == 0 ? rows : new TakenRows(ranges).of(rows, arena);
          RecordBatch result =
              isNumbered
                  ? numbered(taken, ranges, numbering.firstRows()[batchIndex], arena)
                  : taken;
          return new DerivedBatch(result, batch, arena, batch.outlivesClose() && taken == rows);
        });
  }

  /// Returns runs of set bits, or all rows without bits.
  private static SlotRanges ranges(long[] words, long rowCount, Arena arena) {
    SlotRanges ranges = new SlotRanges(arena);
    if (words.length == 0) {
      ranges.add(0, rowCount);
    }
    ranges.addSetBits(words, 0, rowCount);
    return ranges;
  }

  private RecordBatch numbered(RecordBatch rows, SlotRanges ranges, long firstRow, Arena arena) {
    MemorySegment numbers = arena.allocate(rows.length() * Long.BYTES, Long.BYTES);
    long count = 0;
    for (long i = 0; i < ranges.count(); i++) {
      long start = firstRow + ranges.start(i);
      for (long j = 0; j < ranges.length(i); j++) {
        LittleEndian.setInt64(numbers, (count + j) * Long.BYTES, start + j);
      }
      count += ranges.length(i);
    }
    List<ArrayData> columns = new ArrayList<>(rows.columns());
    columns.add(
        new ArrayData(
            number, rows.length(), 0, List.of(MemorySegment.NULL, numbers), List.of(), null));
    List<Field> fields = new ArrayList<>(rows.schema().fields());
    fields.add(number);
    return new RecordBatch(rows.schema().withFields(fields), rows.length(), columns);
  }
}
