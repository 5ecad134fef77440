package dev.quiver.store;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LimitedSource;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.DatasetListing;
import dev.quiver.store.catalog.ForgottenWrites;
import dev.quiver.store.catalog.GarbageCollector;
import dev.quiver.store.catalog.GarbageStatistics;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.catalog.VersionHistory;
import dev.quiver.store.catalog.VersionListing;
import dev.quiver.store.catalog.VersionUpdate;
import dev.quiver.store.catalog.VersionWatch;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.DatasetReplacedException;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.Append;
import dev.quiver.store.write.Compactor;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.FileImport;
import dev.quiver.store.write.ImportResult;
import dev.quiver.store.write.Ingest;
import dev.quiver.store.write.ListedFile;
import dev.quiver.store.write.RewriteTurns;
import dev.quiver.store.write.RowSource;
import dev.quiver.store.write.SpooledBody;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.Warnings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The datasets of a blob store.
///
/// Several threads may share an instance, and several processes may share the store. Any method may
/// throw [dev.quiver.store.blob.StorageFullException], an upload also
/// [dev.quiver.store.catalog.WriterFullException]. Methods that take a body throw
/// [dev.quiver.arrow.memory.InputException] if the body is at fault, and pass on the exceptions of
/// its source. A write that throws leaves nothing visible. One that returns has its data on disk.
public final class Datasets implements AutoCloseable {

  private final BlobStore store;
  private final DatasetOptions options;
  private final InstantSource clock;
  private final Catalog catalog;
  private final Snapshots snapshots;
  private final GarbageCollector garbageCollector;
  private final Compactions compactions;
  private final UploadCounts uploadCounts = new UploadCounts();
  private final OwnWrites ownWrites = new OwnWrites();
  private final RewriteTurns rewriteTurns = new RewriteTurns();
  private final VersionCaches caches = new VersionCaches(Runtime.getRuntime().maxMemory() / 8);

  public Datasets(BlobStore store, DatasetOptions options) {
    this(store, options, StoragePolicy.DEFAULT);
  }

  public Datasets(BlobStore store, DatasetOptions options, StoragePolicy policy) {
    this(store, options, policy, InstantSource.system());
  }

  /// @param clock the source of the times at which blobs are begun and versions committed
  Datasets(BlobStore store, DatasetOptions options, StoragePolicy policy, InstantSource clock) {
    this.store = store;
    this.options = options;
    this.clock = clock;
    this.catalog = new Catalog(store, clock, policy.maxStaleness(), policy.retention());
    this.snapshots = new Snapshots(store, catalog, options.inFlight(), caches);
    this.garbageCollector =
        new GarbageCollector(
            store, policy.retention(), clock, new ExpiredDatasets(catalog, ownWrites));
    this.compactions =
        new Compactions(store, options, catalog, caches, policy.compaction(), ownWrites);
  }

  /// Returns the list of all datasets.
  public DatasetListing listing() {
    return catalog.listing();
  }

  /// Returns the turns of writes that add columns.
  RewriteTurns rewriteTurns() {
    return rewriteTurns;
  }

  /// Lists the readable versions, newest first. A compaction is omitted while the version that it
  /// compacted still exists, unless all are wanted.
  ///
  /// @param beforeVersion the last version of the previous page, or null to start
  /// @param compactions whether to list all compactions
  /// @throws DatasetNotFoundException if the dataset does not exist
  /// @throws DatasetGoneException if it was deleted
  public List<VersionListing.Entry> versions(
      DatasetName name, @Nullable Long beforeVersion, int limit, boolean compactions)
      throws IOException {
    return VersionListing.page(
        store, catalog, name, beforeVersion, limit, compactions, clock.instant());
  }

  /// Opens a version for reading. If it is deleted before all its blobs are open, a newer one has
  /// replaced it. The latest version is then opened, unless `reference` names a version.
  ///
  /// @throws DatasetNotFoundException if the dataset or version does not exist
  /// @throws DatasetGoneException if the dataset was deleted, or if the version has expired
  public Snapshot open(DatasetReference reference) throws IOException {
    return open(reference, null);
  }

  /// Opens a version as [#open(DatasetReference)] does, for the rows that were appended since an
  /// earlier one.
  ///
  /// @param since the earlier version, or null for all rows
  /// @throws DatasetNotFoundException if the dataset or version does not exist, or if it is earlier
  ///   than `since`
  /// @throws DatasetReplacedException if the rows were replaced since
  /// @throws DatasetGoneException if the dataset was deleted, or if one of the versions has expired
  public Snapshot open(DatasetReference reference, @Nullable Long since) throws IOException {
    return snapshots.open(reference, since, Duration.ZERO);
  }

  /// Opens a version as [#open(DatasetReference, Long)] does, for a caller that then waits for a
  /// later one by [#watch]. Any number of them asks the store as rarely as one does.
  public Snapshot openWatched(DatasetReference reference, long since) throws IOException {
    return snapshots.open(reference, since, VersionWatch.INTERVAL);
  }

  /// Returns the dataset as a file that is appended to it needs it, or null if it does not exist.
  public @Nullable AppendedDataset appended(DatasetName name) throws IOException {
    return snapshots.appended(name);
  }

  /// Returns the bytes of the file of the latest version, or 0 if the dataset does not exist.
  public long byteSize(DatasetName name) throws IOException {
    VersionSummary latest = catalog.current(name);
    return latest == null ? 0 : latest.file().byteSize();
  }

  /// Returns the summary of the version that [#open] would open.
  ///
  /// @throws DatasetNotFoundException if the dataset or version does not exist
  /// @throws DatasetGoneException if the dataset was deleted, or if the version has expired
  public VersionSummary summary(DatasetReference reference) throws IOException {
    return catalog.resolve(reference);
  }

  /// Returns whether nothing was ever written to the store, deleted datasets included.
  public boolean isEmpty() throws IOException {
    return catalog.isEmpty();
  }

  /// Creates or replaces a dataset, and keeps its batches as they arrive.
  public WriteResult put(
      DatasetName name, ByteSource body, BodyFormat format, WriteCondition condition)
      throws IOException {
    return put(name, UploadData.Source.of(body, format), condition, UploadOptions.KEEP, null);
  }

  /// Creates or replaces a dataset, once for a key, with the parameters of [#append].
  ///
  /// @throws PreconditionFailedException if `condition` does not hold, before or after the body was
  ///   read
  public WriteResult put(
      DatasetName name,
      UploadData.Source data,
      WriteCondition condition,
      UploadOptions uploadOptions,
      @Nullable IdempotencyKey key)
      throws IOException {
    Warnings warnings = new Warnings();
    try (WriteTransaction transaction =
        catalog.begin(name, condition, key, uploadOptions.writer())) {
      WriteTransaction.Commit earlier = transaction.check();
      if (earlier != null) {
        return warnings.result(earlier);
      }
      WrittenFile uploaded =
          Ingest.ingest(data, uploadOptions, store, options, transaction, warnings);
      uploadOptions.observer().beginCommit();
      var check = data.replacementCheck();
      VersionUpdate replacement =
          newest -> {
            if (check != null && newest != null) {
              check.accept(snapshots.schema(newest));
            }
            return uploaded.version();
          };
      VersionUpdate update = uploadOptions.describing(replacement, clock);
      WriteTransaction.Commit commit = transaction.commit(update);
      uploadCounts.add(uploaded);
      return warnings.result(commit);
    }
  }

  /// Returns the condition that a write has to meet from now on, after checking that it is met.
  ///
  /// @throws PreconditionFailedException if it is not
  public WriteCondition check(DatasetName name, WriteCondition condition) throws IOException {
    VersionSummary latest = catalog.current(name);
    WriteCondition resolved = condition.resolve(latest);
    resolved.require(latest, name);
    return resolved;
  }

  /// Returns whether an append with this idempotency key already happened.
  public boolean hasWritten(DatasetName name, IdempotencyKey key) throws IOException {
    try (WriteTransaction transaction =
        catalog.begin(name, new WriteCondition.None(), key, Writer.SERVICE)) {
      return transaction.check() != null;
    }
  }

  /// Returns whether a write with a key since a time may have been forgotten.
  public boolean mayHaveForgotten(DatasetName name, Instant since) throws IOException {
    return new ForgottenWrites(catalog, clock).mayExist(name, since);
  }

  /// Appends record batches to a dataset, or creates it.
  ///
  /// @param key the idempotency key of the write, or null if absent. If the write already happened,
  ///   it is not repeated and its data is not opened
  /// @throws PreconditionFailedException if `condition` does not hold, before or after the body was
  ///   read
  /// @throws SchemaMismatchException if the batches cannot follow the dataset's
  public WriteResult append(
      DatasetName name,
      UploadData.Source data,
      WriteCondition condition,
      UploadOptions uploadOptions,
      @Nullable IdempotencyKey key)
      throws IOException {
    WriteTransaction.Commit commit;
    Warnings warnings = new Warnings();
    try (WriteTransaction transaction =
        catalog.begin(name, condition, key, uploadOptions.writer())) {
      commit = transaction.check();
      if (commit == null) {
        WrittenFile uploaded =
            Ingest.ingest(data, uploadOptions, store, options, transaction, warnings);
        uploadOptions.observer().beginCommit();
        try (Append append =
            new Append(
                name, store, options, caches, rewriteTurns, transaction, uploadOptions, uploaded)) {
          commit = transaction.commit(uploadOptions.describing(append, clock));
          uploadCounts.add(uploaded);
        }
      }
    }
    // An earlier commit has no extents, so nothing is due.
    if (commit != null && commit.summary().kind().isAppend()) {
      compactions.appended(commit);
    }
    return warnings.result(commit);
  }

  /// Compacts all small appends and small record batches of a dataset immediately. The condition is
  /// checked only beforehand, since the data does not change.
  ///
  /// @return the latest version, which is new unless nothing was left to compact
  /// @throws DatasetNotFoundException if the dataset does not exist
  /// @throws DatasetGoneException if it was deleted
  /// @throws PreconditionFailedException if `condition` does not hold
  public WriteResult compact(DatasetName name, WriteCondition condition) throws IOException {
    return compactions.run(name, condition);
  }

  /// Returns the watch that reports changes of datasets.
  public VersionWatch watch() {
    return catalog.watch();
  }

  /// Returns the versions in the order of their commits.
  public VersionHistory history() {
    return catalog.history();
  }

  /// Returns the numbers of stored uploads.
  public UploadCounts uploadCounts() {
    return uploadCounts;
  }

  /// Returns the versions that are written without a request for them.
  public OwnWrites ownWrites() {
    return ownWrites;
  }

  /// Returns the compaction that appends begin.
  public Compactor compactor() {
    return compactions.compactor();
  }

  /// Stops the background work.
  @Override
  public void close() {
    compactions.close();
    catalog.watch().close();
  }

  /// Spools a body whose options are not known yet.
  public SpooledBody spool(ByteSource body) throws IOException {
    ByteSource limited = new LimitedSource(body, options.requestBytes(), "bytes in a request");
    return SpooledBody.of(limited, store.spool());
  }

  /// Creates a dataset under a new name.
  ///
  /// @param name generated, by the key if there is one
  /// @param key as that of [#append]
  public WriteResult create(
      DatasetName name,
      UploadData.Source data,
      UploadOptions uploadOptions,
      @Nullable IdempotencyKey key)
      throws IOException {
    try {
      return append(name, data, new WriteCondition.IfAbsent(), uploadOptions, key);
    } catch (PreconditionFailedException e) {
      VersionSummary current = key == null ? null : catalog.current(name);
      if (current == null) {
        throw e;
      }
      // No other write creates this name, so the write already happened, too long ago for its key
      // to be remembered.
      return new WriteResult(current);
    }
  }

  /// Opens a body for reading without storing it. Only the caller sees it, and closing discards it.
  /// Its batches keep their sizes and codec.
  public Snapshot convert(UploadData.Source data) throws IOException {
    return Conversion.open(store, options, data);
  }

  /// Makes a file the latest version of a dataset, as [#put] does with its bytes. A file that was
  /// imported before or is older than the dataset is skipped. If a file is canonical already and
  /// the store can link to it, it is not copied.
  ///
  /// A deleted dataset is created again only from a file other than the one imported before.
  ///
  /// No symbolic link is followed: a file that is replaced by one counts as changed.
  ///
  /// @param file the file as it was found
  /// @param rows the reader of the file, or null if it is Arrow data
  public ImportResult importFile(DatasetName name, ListedFile file, @Nullable RowSource rows)
      throws IOException {
    return new FileImport(store, options, catalog, name, file, rows).run();
  }

  /// Deletes a dataset. Open snapshots stay readable.
  ///
  /// @return the version that the delete is
  /// @throws DatasetNotFoundException if the dataset does not exist
  /// @throws DatasetGoneException if it was deleted before
  /// @throws PreconditionFailedException if `condition` does not hold
  public VersionSummary delete(DatasetName name, WriteCondition condition) throws IOException {
    catalog.resolve(new DatasetReference(name, null));
    try (WriteTransaction transaction = catalog.begin(name, condition, null, Writer.SERVICE)) {
      WriteTransaction.Commit commit =
          transaction.commit(newest -> {
            if (newest == null) {
              throw new DatasetGoneException(new DatasetReference(name, null));
            }
            return NextVersion.DELETE;
          });
      return Objects.requireNonNull(commit).summary();
    }
  }

  /// Returns the checks of stored bytes against their checksums.
  public StoreChecks checks() {
    return new StoreChecks(store, catalog);
  }

  /// Deletes versions past their retention and data that no version names, in one pass. Open
  /// snapshots stay readable. If cancellation is requested, the rest is left for another time.
  public GarbageStatistics collectGarbage() throws IOException {
    return garbageCollector.run();
  }
}
