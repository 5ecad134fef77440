package dev.quiver.dataset;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Merges small appends in the background, one dataset at a time.
///
/// What fails is tried again after the next append: nothing depends on it.
final class Merger implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Merger.class.getName());

  private static final int IDLE_SECONDS = 10;

  private final MergePolicy policy;
  private final Task task;
  private final Set<DatasetName> queued = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("merge").factory());

  /// Merges what is due.
  interface Task {

    /// @return whether anything was
    boolean merge(DatasetName name) throws IOException;
  }

  Merger(MergePolicy policy, Task task) {
    this.policy = policy;
    this.task = task;
    executor.allowCoreThreadTimeOut(true);
  }

  /// Merges what an append made due: later, or now when there is more of it than there should be,
  /// so that appends do not outrun merging.
  void appended(Commits.Commit commit) {
    if (policy.isNever() || !isDue(commit)) {
      return;
    }
    DatasetName name = commit.summary().name();
    if (isOutrun(commit)) {
      mergeAll(name);
    } else if (queued.add(name)) {
      executor.execute(() -> {
        queued.remove(name);
        mergeAll(name);
      });
    }
  }

  /// Ends what goes on, whose version is then not committed.
  @Override
  public void close() {
    executor.shutdownNow();
  }

  private void mergeAll(DatasetName name) {
    try {
      while (task.merge(name)) {
        // One merge may make another one due.
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // What was appended is stored, whatever becomes of this.
      LOG.log(Level.WARNING, "Small appends to " + name + " were not merged", e);
    }
  }

  private boolean isOutrun(Commits.Commit commit) {
    return MergePlan.smallCount(pieces(commit)) > policy.extents();
  }

  /// Whether something may be due, by what is known without reading.
  private boolean isDue(Commits.Commit commit) {
    List<MergePlan.Piece> pieces = pieces(commit);
    return MergePlan.smallCount(pieces) >= MergePlan.FAN_IN
        && (commit.summary().batches() > policy.batches()
            || !MergePlan.due(pieces, policy).isEmpty());
  }

  /// The pieces, without how many batches they have, and with those of the schema and dictionaries.
  private static List<MergePlan.Piece> pieces(Commits.Commit commit) {
    return commit.extents().stream().map(extent -> new MergePlan.Piece(extent, 0, 0)).toList();
  }
}
