package dev.quiver.store.catalog;

import static java.util.Objects.requireNonNull;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.DatasetReplacedException;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.ManifestFormat;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The versions of a store's datasets, each described by a manifest.
///
/// No pointer to the latest version exists, and no manifest is ever overwritten. The latest version
/// is the first key of a listing, and a commit puts a manifest under a key that has none.
///
/// Version numbers have no gaps, and the latest version is never deleted. So the latest version can
/// also be found from one seen before: see [NewestVersions].
public final class Catalog {

  /// The time that a deleted dataset may still be read by version if the store is remote, where
  /// each check takes a request.
  private static final Duration DELETION_AGE = Duration.ofSeconds(10);

  private final BlobStore store;
  private final InstantSource clock;
  private final Duration maxStaleness;
  private final Retention retention;
  private final ManifestCache cache;
  private final NewestVersions newestVersions;
  private final DatasetListing listing;
  private final KnownNames knownNames;
  private final VersionWatch watch;
  private final VersionHistory history;
  private final StoredBytes storedBytes;

  /// @param maxStaleness how stale the latest version of a name may be for reads
  public Catalog(BlobStore store, InstantSource clock, Duration maxStaleness, Retention retention) {
    this.store = store;
    this.clock = clock;
    this.maxStaleness = maxStaleness;
    this.retention = retention;
    this.cache = new ManifestCache(store);
    this.newestVersions = new NewestVersions(store, clock, retention, cache);
    this.listing = new DatasetListing(store, cache, clock);
    this.knownNames = listing.knownNames();
    this.watch = new VersionWatch(this);
    this.history = new VersionHistory(this);
    this.storedBytes = new StoredBytes(store, clock);
  }

  /// Begins a write, which the caller must close.
  ///
  /// @param key the idempotency key of the write, or null if absent; a write that already happened
  ///   is not repeated
  public WriteTransaction begin(
      DatasetName name, WriteCondition condition, @Nullable IdempotencyKey key, Writer writer) {
    return new WriteTransaction(
        this, store, clock, retention, name, condition, key, storedBytes.charge(writer));
  }

  public boolean isEmpty() throws IOException {
    return StoreKeys.listManifests(store, StoreKeys.MANIFESTS, null, 1).isEmpty();
  }

  /// Returns the latest version of a name, or null if it does not exist, was deleted or has
  /// expired.
  public @Nullable VersionSummary current(DatasetName name) throws IOException {
    VersionSummary newest = newest(name);
    boolean exists = newest != null && newest.kind() != VersionKind.DELETE;
    return exists && !requireNonNull(newest).hasExpired(clock.instant()) ? newest : null;
  }

  /// Returns the latest version of a name, which may be a delete, or null if absent.
  public @Nullable VersionSummary newest(DatasetName name) throws IOException {
    try (OpenManifest newest = openNewest(name, Duration.ZERO)) {
      return newest == null ? null : newest.summary();
    }
  }

  /// Opens the latest version of a name, which may be a delete, after asking the store.
  @Nullable OpenManifest openNewest(DatasetName name) throws IOException {
    return openNewest(name, Duration.ZERO);
  }

  /// Records that a version is the latest.
  ///
  /// @param askedAt when the version was the latest, or earlier
  void recordLatest(VersionSummary newest, Instant askedAt) {
    newestVersions.record(newest.name(), newest.version(), askedAt);
    listing.committed(newest);
    watch.committed(newest);
  }

  /// Records that a version exists, which may be the latest.
  ///
  /// @param askedAt when it existed, or earlier
  void recordExisting(DatasetName name, long version, Instant askedAt) {
    newestVersions.record(name, version, askedAt);
  }

  /// Returns the version that was last seen as the latest, or 0, without asking the store.
  long lastSeenVersion(DatasetName name) {
    NewestVersions.LastSeen last = newestVersions.last(name);
    return last == null ? 0 : last.version();
  }

  /// Opens the latest version of a name, which may be a delete.
  ///
  /// @param maximumAge the maximum time since the store was last asked for it
  private @Nullable OpenManifest openNewest(DatasetName name, Duration maximumAge)
      throws IOException {
    Instant askedAt = clock.instant();
    OpenManifest newest = newestVersions.open(name, maximumAge);
    if (newest == null || newest.isDelete()) {
      listing.seen(name, /* exists= */ false);
    } else if (!newest.summary().hasExpired(askedAt)) {
      knownNames.add(name.value());
    }
    return newest;
  }

  @Nullable OpenManifest openIfPresent(DatasetName name, long version) throws IOException {
    return newestVersions.openIfPresent(name, version);
  }

  /// Opens the manifest of a reference.
  ///
  /// @throws DatasetNotFoundException if the dataset or version never existed
  /// @throws DatasetGoneException if it was deleted
  public OpenManifest open(DatasetReference reference) throws IOException {
    return open(reference, 0, maxStaleness);
  }

  /// Opens the manifest of a reference.
  ///
  /// @param seen a version that the caller knows of. If it is later than the last one seen here,
  ///   the store is asked
  /// @param staleness how stale the latest version may be, unless more is configured
  /// @throws DatasetNotFoundException if the dataset or version never existed
  /// @throws DatasetGoneException if it was deleted
  public OpenManifest open(DatasetReference reference, long seen, Duration staleness)
      throws IOException {
    Duration age = Collections.max(List.of(maxStaleness, staleness));
    OpenManifest newest = openNewest(reference.name(), maximumAge(reference, seen, age));
    if (newest == null) {
      throw new DatasetNotFoundException(reference);
    }
    try {
      if (refersTo(newest.summary(), reference)) {
        return newest;
      }
    } catch (DatasetException e) {
      newest.close();
      throw e;
    }
    newest.close();
    OpenManifest pinned = openIfPresent(reference.name(), requireNonNull(reference.version()));
    if (pinned == null) {
      // Every version up to the latest existed once.
      throw DatasetGoneException.expired(reference);
    }
    try {
      requireUnexpired(pinned.summary(), reference);
      return pinned;
    } catch (DatasetException e) {
      pinned.close();
      throw e;
    }
  }

  private void requireUnexpired(VersionSummary summary, DatasetReference reference) {
    Instant end = summary.expiresAt();
    if (end != null && summary.hasExpired(clock.instant())) {
      throw DatasetGoneException.ended(reference, end);
    }
  }

  /// Returns how long ago the store may have been asked for the latest version. For a pinned
  /// version, the latest one shows whether the dataset was deleted since. If the pinned version is
  /// later than the last one seen, the store is always asked.
  private Duration maximumAge(DatasetReference reference, long seen, Duration staleness) {
    Long version = reference.version();
    long last = lastSeenVersion(reference.name());
    if (seen > last) {
      return Duration.ZERO;
    }
    if (version == null || !store.isRemote()) {
      return staleness;
    }
    return version <= last ? Collections.max(List.of(staleness, DELETION_AGE)) : Duration.ZERO;
  }

  /// Returns the number of rows of a version. Later ones have only appended to it.
  ///
  /// @param latest the last of the later versions
  /// @param since the number of the version
  /// @throws DatasetNotFoundException if `since` is later than `latest`
  /// @throws DatasetReplacedException if the rows were replaced since
  /// @throws DatasetGoneException if the version has expired
  public long rowsSince(Manifest latest, long since) throws IOException {
    return new AppendHistory(store, cache, latest).rows(since);
  }

  /// Returns the version of a reference.
  ///
  /// @throws DatasetNotFoundException if the dataset or version never existed
  /// @throws DatasetGoneException if it was deleted
  public VersionSummary resolve(DatasetReference reference) throws IOException {
    try (OpenManifest open = open(reference)) {
      return open.summary();
    }
  }

  /// Returns whether a reference means the latest version rather than an earlier one.
  private boolean refersTo(VersionSummary newest, DatasetReference reference) {
    Long version = reference.version();
    if (version != null && version > newest.version()) {
      throw DatasetNotFoundException.later(reference, newest);
    }
    if (newest.kind() == VersionKind.DELETE || version != null && version < newest.firstVersion()) {
      throw new DatasetGoneException(reference);
    }
    // Earlier versions end with the latest one, or before.
    requireUnexpired(newest, reference);
    return version == null || version == newest.version();
  }

  /// Returns the watch of the latest versions.
  public VersionWatch watch() {
    return watch;
  }

  /// Returns the versions in the order of their commits.
  public VersionHistory history() {
    return history;
  }

  /// Returns the listing of the latest versions.
  public DatasetListing listing() {
    return listing;
  }

  /// Reads the manifest of a key.
  ///
  /// @throws NoSuchBlobException if the key has no blob
  Manifest manifest(String key) throws IOException {
    try (OpenManifest open = cache.open(key)) {
      return open.manifest();
    }
  }

  /// A manifest. A blob that it was read from stays open, since it also holds the head and the tail
  /// of the file.
  ///
  /// @param blob null if the manifest came from the cache
  public record OpenManifest(String key, @Nullable Blob blob, Manifest manifest)
      implements AutoCloseable {

    public static OpenManifest open(BlobStore store, String key) throws IOException {
      Blob blob = store.open(key);
      try {
        return new OpenManifest(key, blob, ManifestFormat.read(key, blob));
      } catch (IOException | RuntimeException e) {
        blob.close();
        throw e;
      }
    }

    public VersionSummary summary() {
      return manifest.summary();
    }

    /// Returns whether this version deleted the dataset.
    boolean isDelete() {
      return summary().kind() == VersionKind.DELETE;
    }

    @Override
    public void close() throws IOException {
      if (blob != null) {
        blob.close();
      }
    }
  }
}
