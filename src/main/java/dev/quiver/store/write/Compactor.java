package dev.quiver.store.write;

import dev.quiver.arrow.parallel.MemoryExhaustion;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.version.DatasetName;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// The background compaction of small appends, one dataset at a time.
///
/// Nothing depends on a compaction. If it fails, the next append retries it.
public final class Compactor implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Compactor.class.getName());

  private static final int IDLE_SECONDS = 10;

  private final CompactionPolicy policy;
  private final Task task;
  private final LongAdder compactions = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Set<DatasetName> queued = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("compaction").factory());

  /// A compaction of the runs that are due.
  public interface Task {

    /// @return whether anything was due
    boolean compact(DatasetName name) throws IOException;
  }

  public Compactor(CompactionPolicy policy, Task task) {
    this.policy = policy;
    this.task = task;
    executor.allowCoreThreadTimeOut(true);
  }

  /// Compacts the runs that are due after an append, usually in the background. If the version has
  /// too many small pieces, the caller compacts them itself, so that appends do not outrun
  /// compaction.
  public void appended(WriteTransaction.Commit commit) {
    if (policy.isNever() || !isDue(commit)) {
      return;
    }
    DatasetName name = commit.summary().name();
    if (isOutrun(commit)) {
      compactAll(name);
    } else if (queued.add(name)) {
      executor.execute(() -> {
        queued.remove(name);
        compactAll(name);
      });
    }
  }

  /// Returns the number of compactions after appends.
  public long compactionCount() {
    return compactions.sum();
  }

  /// Returns the number of failed compactions.
  public long failureCount() {
    return failures.sum();
  }

  /// Returns the number of datasets that wait for one.
  public int queuedCount() {
    return queued.size();
  }

  /// Stops a compaction in progress, whose version is then not committed.
  @Override
  public void close() {
    executor.shutdownNow();
  }

  private void compactAll(DatasetName name) {
    try {
      while (task.compact(name)) {
        // One compaction may make another one due.
        compactions.increment();
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      MemoryExhaustion.endProcessIfCauseOf(e);
      failures.increment();
      // The appended data is stored, even if this fails.
      FailureLog.log(LOG, Level.WARNING, "Small appends to " + name + " were not compacted", e);
    }
  }

  private boolean isOutrun(WriteTransaction.Commit commit) {
    return CompactionPlan.smallCount(pieces(commit)) > policy.extents();
  }

  /// Returns whether anything may be due, as far as the commit shows without a read.
  private boolean isDue(WriteTransaction.Commit commit) {
    List<CompactionPlan.Input> pieces = pieces(commit);
    return CompactionPlan.smallCount(pieces) >= CompactionPlan.FAN_IN
        && (commit.summary().file().batches() > policy.batches()
            || !CompactionPlan.due(pieces, policy).isEmpty());
  }

  /// Returns the pieces, without their numbers of batches. Pieces of the schema and dictionaries
  /// are included.
  private static List<CompactionPlan.Input> pieces(WriteTransaction.Commit commit) {
    return commit.extents().stream().map(extent -> new CompactionPlan.Input(extent, 0, 0)).toList();
  }
}
