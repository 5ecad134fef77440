package dev.quiver.sql.worker;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.transform.TakenRows;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.Table;
import dev.quiver.sql.engine.TableBatch;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// A table with the batches of a version in another form.
abstract class VersionRows implements Table {

  /// The heap that a batch may take, of which a worker has little.
  static final long HEAP_BYTE_SIZE_MAXIMUM = 8 << 20;

  /// In place of the bits of rows: a batch is read whole.
  static final long[] WHOLE = {};

  /// The size of the rows that are taken from a batch. Larger ones are read where they are mapped.
  private static final long TAKEN_BYTE_SIZE_MAXIMUM = 16 << 20;

  final MappedVersion version;
  private final Schema schema;

  VersionRows(MappedVersion version, Schema schema) {
    this.version = version;
    this.schema = schema;
  }

  @Override
  public final Schema schema() {
    return schema;
  }

  @Override
  public final long rowCount() {
    return version.rowCount();
  }

  @Override
  public final int batchCount() {
    return version.batchCount();
  }

  /// Makes rows of a stored batch, in the memory of an arena where they have their own.
  @FunctionalInterface
  interface Derivation {

    /// @return rows with the memory of both, or the batch itself without the arena
    TableBatch of(TableBatch batch, Arena arena);
  }

  /// Returns rows that are made from columns of a stored batch. If that fails, nothing stays open.
  final TableBatch derived(int batchIndex, int[] columnIndices, Derivation derivation) {
    TableBatch batch = version.read(batchIndex, columnIndices);
    Arena arena = Arena.ofShared();
    try {
      TableBatch rows = derivation.of(batch, arena);
      if (rows == batch) {
        arena.close();
      }
      return rows;
    } catch (RuntimeException | Error e) {
      arena.close();
      batch.close();
      throw e;
    }
  }

  /// Returns rows of a batch.
  ///
  /// @param passing a bit for each row that is needed
  final TableBatch taken(int batchIndex, int[] columnIndices, long[] passing) {
    if (Arrays.stream(passing).allMatch(word -> word == 0)) {
      return new NoRows(empty(columnIndices));
    }
    return derived(
        batchIndex,
        columnIndices,
        (batch, arena) -> {
          SlotRanges ranges = new SlotRanges(arena);
          ranges.addSetBits(passing, 0, Long.MAX_VALUE);
          return isSmall(batch.rows(), ranges)
              ? new DerivedBatch(
                  new TakenRows(ranges).of(batch.rows(), arena),
                  batch,
                  arena,
                  /* outlivesClose= */ false)
              : batch;
        });
  }

  /// Returns whether rows take little memory, which the engine does not know of.
  private static boolean isSmall(RecordBatch batch, SlotRanges rows) {
    // Consecutive rows are not copied.
    if (rows.count() <= 1 || byteSize(batch) <= TAKEN_BYTE_SIZE_MAXIMUM) {
      return true;
    }
    RecordBatch sizes = new TakenRows(rows).sizesOf(batch);
    return sizes != null && byteSize(sizes) <= TAKEN_BYTE_SIZE_MAXIMUM;
  }

  private static long byteSize(RecordBatch batch) {
    return batch.columns().stream().mapToLong(ArrayData::byteSize).sum();
  }

  private RecordBatch empty(int[] columnIndices) {
    List<Field> fields = IntStream.of(columnIndices).mapToObj(schema().fields()::get).toList();
    List<ArrayData> columns = fields.stream().map(ArrayData::empty).toList();
    return new RecordBatch(schema().withFields(fields), 0, columns);
  }

  private record NoRows(RecordBatch rows) implements TableBatch {

    @Override
    public boolean outlivesClose() {
      return true;
    }

    @Override
    public void close() {}
  }
}
