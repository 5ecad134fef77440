package dev.quiver.sql.worker;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.TableBatch;
import java.util.List;

/// The rows of a version without its columns. The engine reads the first column of a table to count
/// rows, so there is one without values: none is decoded, whatever its type.
final class CountedRows extends VersionRows {

  private static final Field NOTHING = Field.of("nothing", true, new ArrowType.Null());

  CountedRows(MappedVersion version) {
    super(version, Schema.of(NOTHING));
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    TableBatch batch = version.read(batchIndex, new int[0]);
    return columnIndices.length == 0 ? batch : new CountedBatch(batch);
  }

  private record CountedBatch(TableBatch batch) implements TableBatch {

    @Override
    public RecordBatch rows() {
      long length = batch.rows().length();
      ArrayData nothing = new ArrayData(NOTHING, length, length, List.of(), List.of(), null);
      return new RecordBatch(Schema.of(NOTHING), length, List.of(nothing));
    }

    @Override
    public boolean outlivesClose() {
      return true;
    }

    @Override
    public void close() {
      batch.close();
    }
  }
}
