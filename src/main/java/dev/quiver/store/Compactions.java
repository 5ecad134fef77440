package dev.quiver.store;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.Compaction;
import dev.quiver.store.write.CompactionPlan;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.Compactor;
import dev.quiver.store.write.DatasetOptions;
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
