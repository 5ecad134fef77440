package dev.quiver.dataset.write;

import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.version.DatasetName;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Compacts small appends in the background, one dataset at a time.
///
/// What fails is tried again after the next append: nothing depends on it.
public final class Compactor implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Compactor.class.getName());

  private static final int IDLE_SECONDS = 10;

  private final CompactionPolicy policy;
  private final Task task;
  private final Set<DatasetName> queued = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("compaction").factory());

  /// Compacts what is due.
  public interface Task {

    /// @return whether anything was
    boolean compact(DatasetName name) throws IOException;
  }

  public Compactor(CompactionPolicy policy, Task task) {
    this.policy = policy;
    this.task = task;
    executor.allowCoreThreadTimeOut(true);
  }

  /// Compacts what an append made due: later, or now when there is more of it than there should be,
  /// so that appends do not outrun compacting.
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

  /// Ends what goes on, whose version is then not committed.
  @Override
  public void close() {
    executor.shutdownNow();
  }

  private void compactAll(DatasetName name) {
    try {
      while (task.compact(name)) {
        // One compaction may make another one due.
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // What was appended is stored, whatever becomes of this.
      LOG.log(Level.WARNING, "Small appends to " + name + " were not compacted", e);
    }
  }

  private boolean isOutrun(WriteTransaction.Commit commit) {
    return CompactionPlan.smallCount(pieces(commit)) > policy.extents();
  }

  /// Whether something may be due, by what is known without reading.
  private boolean isDue(WriteTransaction.Commit commit) {
    List<CompactionPlan.Input> pieces = pieces(commit);
    return CompactionPlan.smallCount(pieces) >= CompactionPlan.FAN_IN
        && (commit.summary().file().batches() > policy.batches()
            || !CompactionPlan.due(pieces, policy).isEmpty());
  }

  /// The pieces, without how many batches they have, and with those of the schema and dictionaries.
  private static List<CompactionPlan.Input> pieces(WriteTransaction.Commit commit) {
    return commit.extents().stream().map(extent -> new CompactionPlan.Input(extent, 0, 0)).toList();
  }
}
