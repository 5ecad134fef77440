package dev.quiver.sql.worker;

import dev.quiver.sql.engine.TableBatch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// A version without most of the rows that come after the leading ones. The engine sorts the
/// others.
final class LeadingRows extends VersionRows {

  private final Leading leading;
  private final Runnable check;

  /// The last of the first keys that any thread has read, if these are enough.
  private final AtomicLong bound = new AtomicLong(Long.MAX_VALUE);

  /// First keys that no thread adds to at the moment.
  private final Queue<FirstKeys> idle = new ConcurrentLinkedQueue<>();

  /// @param check throws an exception if the statement is to end
  LeadingRows(MappedVersion version, Leading leading, Runnable check) {
    super(version, version.schema());
    this.leading = leading;
    this.check = check;
    idle.add(new FirstKeys(leading, schema(), bound));
  }

  @Override
  public TableBatch read(int batchIndex, int[] columnIndices) {
    // The engine does not look whether it is interrupted while batches without rows follow.
    check.run();
    long[] passing = passing(batchIndex);
    return passing == WHOLE
        ? version.read(batchIndex, columnIndices)
        : taken(batchIndex, columnIndices, passing);
  }

  private long[] passing(int batchIndex) {
    FirstKeys polled = idle.poll();
    FirstKeys first = polled == null ? new FirstKeys(leading, schema(), bound) : polled;
    try (TableBatch batch = version.read(batchIndex, new int[] {leading.column()})) {
      return first.add(batch.rows().columns().getFirst());
    } finally {
      idle.add(first);
    }
  }
}
