package dev.quiver.dataset;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.quota.Writer;
import dev.quiver.dataset.stored.VersionCaches;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.dataset.version.WriteResult;
import dev.quiver.dataset.write.Compaction;
import dev.quiver.dataset.write.CompactionPlan;
import dev.quiver.dataset.write.CompactionPolicy;
import dev.quiver.dataset.write.Compactor;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The compactions of datasets: on request, and in the background after appends.
final class Compactions implements AutoCloseable {

  private final BlobStore store;
  private final DatasetOptions options;
  private final Catalog catalog;
  private final VersionCaches caches;
  private final Compactor compactor;
  private final CompactionPolicy policy;
  private final OwnWrites ownWrites;

  Compactions(
      BlobStore store,
      DatasetOptions options,
      Catalog catalog,
      VersionCaches caches,
      CompactionPolicy policy,
      OwnWrites ownWrites) {
    this.store = store;
    this.options = options;
    this.catalog = catalog;
    this.caches = caches;
    this.compactor = new Compactor(policy, this::compactDue);
    this.policy = policy;
    this.ownWrites = ownWrites;
  }

  private boolean compactDue(DatasetName name) throws IOException {
    WriteTransaction.Commit commit = compact(name, pieces -> CompactionPlan.due(pieces, policy));
    if (commit != null) {
      ownWrites.tell(commit.summary());
    }
    return commit != null;
  }

  /// Returns the background compaction.
  Compactor compactor() {
    return compactor;
  }

  /// Compacts a dataset in the background if that is due after an append.
  void appended(WriteTransaction.Commit commit) {
    compactor.appended(commit);
  }

  /// Compacts a dataset completely.
  WriteResult run(DatasetName name, WriteCondition condition) throws IOException {
    VersionSummary current = catalog.current(name);
    condition.require(current, name);
    DatasetReference reference = new DatasetReference(name, null);
    if (current == null) {
      catalog.resolve(reference);
    }
    WriteTransaction.Commit commit = null;
    for (WriteTransaction.Commit next = compact(name, CompactionPlan::all);
        next != null;
        next = compact(name, CompactionPlan::rest)) {
      commit = next;
    }
    VersionSummary newest = commit == null ? catalog.resolve(reference) : commit.summary();
    return new WriteResult(newest);
  }

  private WriteTransaction.@Nullable Commit compact(
      DatasetName name, Function<List<CompactionPlan.Input>, List<CompactionPlan.Run>> plan)
      throws IOException {
    try (WriteTransaction transaction =
            catalog.begin(name, new WriteCondition.None(), null, Writer.SERVICE);
        Compaction compaction = new Compaction(store, options, caches, transaction, plan)) {
      return transaction.commit(compaction);
    }
  }

  /// Stops the background work.
  @Override
  public void close() {
    compactor.close();
  }
}
