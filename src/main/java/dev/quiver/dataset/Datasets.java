package dev.quiver.dataset;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.GarbageCollector;
import dev.quiver.dataset.catalog.GarbageStatistics;
import dev.quiver.dataset.catalog.NextVersion;
import dev.quiver.dataset.catalog.VersionListing;
import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.ingest.Ingest;
import dev.quiver.dataset.ingest.SpooledBody;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.ingest.Warnings;
import dev.quiver.dataset.read.LayoutCache;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.stored.BatchIndexCache;
import dev.quiver.dataset.version.DamagedDatasetException;
import dev.quiver.dataset.version.DatasetGoneException;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.DatasetNotFoundException;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.dataset.version.PreconditionFailedException;
import dev.quiver.dataset.version.SchemaMismatchException;
import dev.quiver.dataset.version.SourceFile;
import dev.quiver.dataset.version.Ulid;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.dataset.version.WriteResult;
import dev.quiver.dataset.write.Append;
import dev.quiver.dataset.write.Compaction;
import dev.quiver.dataset.write.CompactionPlan;
import dev.quiver.dataset.write.Compactor;
import dev.quiver.dataset.write.FileImport;
import dev.quiver.dataset.write.ImportResult;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.LimitedSource;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The datasets of a blob store.
///
/// Shared by threads, and by processes that share the store. Any method may throw
/// [dev.quiver.storage.StorageFullException]; what takes a body throws
/// [dev.quiver.input.InputException] for what the body does wrong, and passes on what its source
/// throws. Nothing of a write that throws is ever visible; what a write returned is on disk.
public final class Datasets implements AutoCloseable {

  private final BlobStore store;
  private final DatasetOptions options;
  private final Catalog catalog;
  private final GarbageCollector garbageCollector;
  private final Compactor compactor;
  private final BatchIndexCache indexes = new BatchIndexCache(Runtime.getRuntime().maxMemory() / 8);
  private final LayoutCache plans = new LayoutCache(Runtime.getRuntime().maxMemory() / 16);

  public Datasets(BlobStore store, DatasetOptions options) {
    this(store, options, StoragePolicy.DEFAULT);
  }

  public Datasets(BlobStore store, DatasetOptions options, StoragePolicy policy) {
    this(store, options, policy, InstantSource.system());
  }

  /// @param clock what tells when a blob was begun and a version committed
  Datasets(BlobStore store, DatasetOptions options, StoragePolicy policy, InstantSource clock) {
    this.store = store;
    this.options = options;
    this.catalog = new Catalog(store, clock, policy.maxStaleness(), policy.retention());
    this.garbageCollector = new GarbageCollector(store, policy.retention(), clock);
    this.compactor =
        new Compactor(
            policy.compaction(),
            name ->
                compact(name, pieces -> CompactionPlan.due(pieces, policy.compaction())) != null);
  }

  /// The newest version of each dataset that is not deleted, in the order of the store.
  ///
  /// @param afterName where to go on: the last name of the page before; it need not exist any more
  public List<VersionSummary> list(@Nullable DatasetName afterName, int limit) throws IOException {
    return catalog.list(afterName, limit);
  }

  /// The versions that can be read, newest first: a compaction is left out as long as the version
  /// is there whose record batches it joined.
  ///
  /// @param beforeVersion where to go on: the last version of the page before
  /// @throws DatasetNotFoundException when there is no such dataset
  /// @throws DatasetGoneException when it was deleted
  public List<VersionSummary> versions(DatasetName name, @Nullable Long beforeVersion, int limit)
      throws IOException {
    return versions(name, beforeVersion, limit, /* compactions= */ false);
  }

  /// As [#versions(DatasetName, Long, int)].
  ///
  /// @param compactions whether to list all compactions
  public List<VersionSummary> versions(
      DatasetName name, @Nullable Long beforeVersion, int limit, boolean compactions)
      throws IOException {
    while (true) {
      VersionSummary newest = summary(new DatasetReference(name, null));
      long before = beforeVersion == null ? newest.version() + 1 : beforeVersion;
      List<VersionSummary> versions =
          new VersionListing(store, newest, compactions).before(before, limit);
      if (!versions.isEmpty() || beforeVersion != null) {
        return versions;
      }
      // All were removed since, after others were committed.
    }
  }

  /// Opens a version for reading. What is removed before all its blobs are open was replaced: then
  /// the newest is opened, unless a version is asked for.
  ///
  /// @throws DatasetNotFoundException when there is no such dataset or version
  /// @throws DatasetGoneException when it was deleted or removed
  /// @throws DamagedDatasetException when a file that was imported was changed in place
  public Snapshot open(DatasetReference reference) throws IOException {
    VersionSummary broken = null;
    while (true) {
      Catalog.OpenManifest open = catalog.open(reference);
      try {
        return Snapshot.open(store, open, indexes, plans);
      } catch (NoSuchBlobException e) {
        // Manifests go before their data: one that is still there, as the store itself says, has
        // lost some.
        if (store.exists(open.key()) && open.summary().equals(broken)) {
          throw e;
        }
        broken = open.summary();
      }
    }
  }

  /// What [#open] would open.
  ///
  /// @throws DatasetNotFoundException when there is no such dataset or version
  /// @throws DatasetGoneException when it was deleted or removed
  public VersionSummary summary(DatasetReference reference) throws IOException {
    return catalog.resolve(reference);
  }

  /// Whether nothing was ever written to the store, deleted datasets included.
  public boolean isEmpty() throws IOException {
    return catalog.isEmpty();
  }

  /// Creates a dataset or replaces it, with its batches as they come.
  ///
  /// @throws PreconditionFailedException when `condition` does not hold, before or after the body
  ///   was read
  public WriteResult put(
      DatasetName name, ByteSource body, BodyFormat format, WriteCondition condition)
      throws IOException {
    return put(name, body, format, condition, UploadOptions.KEEP);
  }

  /// Creates a dataset or replaces it.
  ///
  /// @throws PreconditionFailedException when `condition` does not hold, before or after the body
  ///   was read
  public WriteResult put(
      DatasetName name,
      ByteSource body,
      BodyFormat format,
      WriteCondition condition,
      UploadOptions wanted)
      throws IOException {
    Warnings warnings = new Warnings();
    try (WriteTransaction transaction = catalog.begin(name, condition, null)) {
      transaction.check();
      WrittenFile uploaded =
          Ingest.ingest(body, format, wanted, store, options, transaction, warnings);
      return result(transaction.commit(_ -> uploaded.version()), warnings);
    }
  }

  /// Adds record batches after those of a dataset, or creates it.
  ///
  /// @param key of the write, or null if absent: one that was done is not done again, and its body
  ///   is not read
  /// @throws PreconditionFailedException if `condition` does not hold, before or after the body was
  ///   read
  /// @throws SchemaMismatchException if the batches cannot follow those of the dataset
  public WriteResult append(
      DatasetName name,
      ByteSource body,
      BodyFormat format,
      WriteCondition condition,
      UploadOptions wanted,
      @Nullable IdempotencyKey key)
      throws IOException {
    WriteTransaction.Commit commit;
    Warnings warnings = new Warnings();
    try (WriteTransaction transaction = catalog.begin(name, condition, key)) {
      commit = transaction.check();
      if (commit == null) {
        WrittenFile uploaded =
            Ingest.ingest(body, format, wanted, store, options, transaction, warnings);
        commit =
            transaction.commit(new Append(name, store, options, indexes, transaction, uploaded));
      }
    }
    // A commit that was made before has no extents, so that nothing is due.
    if (commit != null && commit.summary().kind() == VersionKind.APPEND) {
      compactor.appended(commit);
    }
    return result(commit, warnings);
  }

  private static WriteResult result(WriteTransaction.@Nullable Commit commit, Warnings warnings) {
    // Only a compaction may have nothing to commit.
    Objects.requireNonNull(commit);
    return warnings.result(commit.summary(), commit.created());
  }

  /// Compacts all small appends of a dataset, and small record batches, at once.
  ///
  /// @return the latest version, which is a new one unless there was nothing to compact
  /// @throws DatasetNotFoundException if the dataset does not exist
  /// @throws DatasetGoneException if it was deleted
  public WriteResult compact(DatasetName name) throws IOException {
    return compact(name, new WriteCondition.None());
  }

  /// Compacts a dataset as [#compact(DatasetName)] does, under a condition that is checked before:
  /// the data does not change.
  ///
  /// @throws PreconditionFailedException if `condition` does not hold
  public WriteResult compact(DatasetName name, WriteCondition condition) throws IOException {
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
    return new WriteResult(newest, /* created= */ false, List.of(), List.of());
  }

  private WriteTransaction.@Nullable Commit compact(
      DatasetName name, Function<List<CompactionPlan.Input>, List<CompactionPlan.Run>> plan)
      throws IOException {
    try (WriteTransaction transaction = catalog.begin(name, new WriteCondition.None(), null)) {
      return transaction.commit(new Compaction(store, options, indexes, transaction, plan));
    }
  }

  /// Ends what goes on in the background.
  @Override
  public void close() {
    compactor.close();
  }

  /// Keeps a body of which the options are to come.
  public SpooledBody spool(ByteSource body) throws IOException {
    ByteSource limited = new LimitedSource(body, options.requestBytes());
    return SpooledBody.of(limited, store.spool());
  }

  /// Creates a dataset under a new name.
  ///
  /// @param key of the write, which decides the name: one that was done is not done again; null
  ///   without one
  public WriteResult create(
      ByteSource body, BodyFormat format, UploadOptions wanted, @Nullable IdempotencyKey key)
      throws IOException {
    DatasetName name = key == null ? newName() : generatedName(key);
    try {
      return append(name, body, format, new WriteCondition.IfAbsent(), wanted, key);
    } catch (PreconditionFailedException e) {
      VersionSummary current = key == null ? null : catalog.current(name);
      if (current == null) {
        throw e;
      }
      // No other write makes a dataset of such a name: it was this one, too long ago to be
      // remembered.
      return new WriteResult(current, /* created= */ false, List.of(), List.of());
    }
  }

  /// The name under which the write with this key creates a dataset.
  public static DatasetName generatedName(IdempotencyKey key) {
    return new DatasetName("ds-" + key.hash());
  }

  private static DatasetName newName() {
    return new DatasetName("ds-" + Ulid.next());
  }

  /// Opens a body for reading without storing it: nobody else sees it, and it is gone when it is
  /// closed. Its batches and their codec are as they come.
  public Snapshot convert(ByteSource body, BodyFormat format) throws IOException {
    return Conversion.open(store, options, body, format);
  }

  /// Makes a file the newest version of a dataset, as [#put] would its bytes, unless it was
  /// imported before or is older than the dataset. One that is canonical already is not copied, if
  /// the store can link to it.
  ///
  /// A dataset that was deleted is made again only of a file that is another than the one imported
  /// before.
  ///
  /// @param path where the file is
  /// @param file as it was when it was looked at
  public ImportResult importFile(DatasetName name, Path path, SourceFile file) throws IOException {
    return new FileImport(store, options, catalog, name, path, file).run();
  }

  /// Deletes a dataset. Snapshots that are open go on.
  ///
  /// @throws DatasetNotFoundException when there is no such dataset
  /// @throws DatasetGoneException when it was deleted before
  /// @throws PreconditionFailedException when `condition` does not hold
  public void delete(DatasetName name, WriteCondition condition) throws IOException {
    catalog.resolve(new DatasetReference(name, null));
    try (WriteTransaction transaction = catalog.begin(name, condition, null)) {
      transaction.commit(newest -> {
        if (newest == null) {
          throw new DatasetGoneException(new DatasetReference(name, null));
        }
        return NextVersion.DELETE;
      });
    }
  }

  /// Removes versions past their retention, and data that no version names: goes through the store
  /// once. Snapshots that are open go on.
  ///
  /// @param goesOn asked before each step; when it says no, the rest is left for another time
  public GarbageStatistics removeExpired(BooleanSupplier goesOn) throws IOException {
    return garbageCollector.run(goesOn);
  }
}
