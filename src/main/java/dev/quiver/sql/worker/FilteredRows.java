package dev.quiver.sql.worker;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.statistics.BatchFilter;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.transform.TakenRows;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.engine.TableBatch;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// A version without most of the rows that a predicate rejects. The engine rejects the others by
/// itself.
///
/// Only the compared columns of all rows are read. Of the columns that the engine asks for, only
/// the values of the rows that pass are converted, if they are few enough, and if most columns are
/// not compared.
final class FilteredRows extends VersionRows {

  /// Batches are read whole if more than one of this many rows passes: rows that are far from each
  /// other take longer to read.
  private static final int ROWS_PER_TAKEN_ROW = 16;

  /// The number of batches in a row that were read whole after which only some are still filtered.
  private static final int FUTILE_BATCHES = 8;

  /// One of this many batches is then filtered, since other rows may follow.
  private static final int BATCHES_PER_TRIAL = 16;

  /// The heap that a batch may take, of which a worker has little.
  private static final long HEAP_BYTE_SIZE_MAXIMUM = 8 << 20;

  /// The size of the rows that are taken from a batch. Larger ones are read where they are mapped.
  private static final long TAKEN_BYTE_SIZE_MAXIMUM = 16 << 20;

  private static final long[] ALL = {};

  private final Predicate predicate;
  private final Runnable check;

  /// The indices of the compared columns.
  private final int[] compared;

  /// Filters that no thread uses at the moment.
  private final Queue<BatchFilter> filters = new ConcurrentLinkedQueue<>();

  /// The number of batches since the last one that was not read whole.
  private final AtomicInteger futile = new AtomicInteger();

  /// @param check throws an exception if the statement is to end
  FilteredRows(MappedVersion version, Predicate predicate, Runnable check) {
    super(version, version.schema());
    this.predicate = predicate;
    this.check = check;
    BatchFilter filter = BatchFilter.of(predicate, version.schema());
    this.compared = filter.columns();
    filters.add(filter);
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    // The engine does not look whether it is interrupted while batches without rows follow.
    check.run();
    boolean isTried = futile.get() < FUTILE_BATCHES || batchIndex % BATCHES_PER_TRIAL == 0;
    if (!isTried || !sparesColumns(columnIndices)) {
      return version.read(batchIndex, columnIndices);
    }
    long[] passing = passing(batchIndex);
    if (passing.length == 0) {
      futile.incrementAndGet();
      return version.read(batchIndex, columnIndices);
    }
    futile.set(0);
    if (Arrays.stream(passing).allMatch(word -> word == 0)) {
      return new NoRows(empty(columnIndices));
    }
    return taken(batchIndex, columnIndices, passing);
  }

  /// Returns whether the values that need not be converted outweigh the values read to find the
  /// rows.
  private boolean sparesColumns(int[] columnIndices) {
    long spared =
        IntStream.of(columnIndices).filter(i -> Arrays.binarySearch(compared, i) < 0).count();
    return spared > compared.length;
  }

  /// Returns a bit for each row of a batch that passes; no bits if the batch is to be read whole.
  private long[] passing(int batchIndex) {
    BatchFilter idle = filters.poll();
    BatchFilter filter = idle == null ? BatchFilter.of(predicate, schema()) : idle;
    try (TableBatch batch = version.read(batchIndex, compared)) {
      RecordBatch rows = batch.rows();
      if (BatchFilter.heapByteSize(rows) > HEAP_BYTE_SIZE_MAXIMUM) {
        return ALL;
      }
      long[] words = filter.select(rows).words();
      long count = LongStream.of(words).map(Long::bitCount).sum();
      return count > rows.length() / ROWS_PER_TAKEN_ROW ? ALL : words;
    } finally {
      filters.add(filter);
    }
  }

  private TableBatch taken(int batchIndex, int[] columnIndices, long[] passing) {
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
