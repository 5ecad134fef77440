package dev.quiver.sql.worker;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.statistics.BatchFilter;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.sql.engine.TableBatch;
import java.util.Arrays;
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
    if (passing == WHOLE) {
      futile.incrementAndGet();
      return version.read(batchIndex, columnIndices);
    }
    futile.set(0);
    return taken(batchIndex, columnIndices, passing);
  }

  /// Returns whether the values that need not be converted outweigh the values read to find the
  /// rows.
  private boolean sparesColumns(int[] columnIndices) {
    long spared =
        IntStream.of(columnIndices).filter(i -> Arrays.binarySearch(compared, i) < 0).count();
    return spared > compared.length;
  }

  /// Returns a bit for each row of a batch that passes; [#WHOLE] if the batch is to be read whole.
  private long[] passing(int batchIndex) {
    BatchFilter idle = filters.poll();
    BatchFilter filter = idle == null ? BatchFilter.of(predicate, schema()) : idle;
    try (TableBatch batch = version.read(batchIndex, compared)) {
      RecordBatch rows = batch.rows();
      if (BatchFilter.heapByteSize(rows) > HEAP_BYTE_SIZE_MAXIMUM) {
        return WHOLE;
      }
      long[] words = filter.select(rows).words();
      long count = LongStream.of(words).map(Long::bitCount).sum();
      return count > rows.length() / ROWS_PER_TAKEN_ROW ? WHOLE : words;
    } finally {
      filters.add(filter);
    }
  }
}
