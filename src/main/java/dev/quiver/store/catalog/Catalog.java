package dev.quiver.store.catalog;

import static java.util.Objects.requireNonNull;

import dev.quiver.arrow.parallel.LruCache;
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
/// also be found from any version seen before, regardless of which process wrote it: it is the one
/// without a successor.
public final class Catalog {

  private static final int SEEN_NAMES_MAXIMUM = 10_000;

  /// The number of unseen versions above which a listing is less work.
  private static final int MAXIMUM_STEPS = 100;

  /// The time that a deleted dataset may still be read by version if the store is remote, where
  /// each check takes a request.
  private static final Duration DELETION_AGE = Duration.ofSeconds(10);

  private final BlobStore store;
  private final InstantSource clock;
  private final Duration maxStaleness;
  private final Retention retention;

  /// The version of each name that was last seen as the latest. The search for the latest version
  /// starts there.
  private final LruCache<DatasetName, LastSeen> lastSeen = new LruCache<>(SEEN_NAMES_MAXIMUM);

  private final ManifestCache cache;
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
    recordLatest(newest.name(), new LastSeen(newest.version(), askedAt));
    listing.committed(newest);
    watch.committed(newest);
  }

  /// Returns the version that was last seen as the latest, or 0, without asking the store.
  long lastSeenVersion(DatasetName name) {
    LastSeen last = lastSeen.get(name);
    return last == null ? 0 : last.version();
  }

  /// Records that a version is the latest, unless a later one is recorded.
  private void recordLatest(DatasetName name, LastSeen latest) {
    lastSeen.merge(name, latest, (before, now) -> before.version() > now.version() ? before : now);
  }

  /// Opens the latest version of a name, which may be a delete.
  ///
  /// @param maximumAge the maximum time since the store was last asked for it
  private @Nullable OpenManifest openNewest(DatasetName name, Duration maximumAge)
      throws IOException {
    Instant askedAt = clock.instant();
    LastSeen last = lastSeen.get(name);
    if (last != null && !retention.withinReadWindow(last.askedAt(), askedAt)) {
      // It may have been deleted, and a paused writer may have reused its number since.
      last = null;
    }
    if (last != null && Duration.between(last.askedAt(), askedAt).compareTo(maximumAge) < 0) {
      OpenManifest newest = openIfPresent(name, last.version());
      if (newest != null) {
        return newest;
      }
    }
    // To find the first manifest of a name, a folder lists all; a remote store needs one request.
    OpenManifest newest =
        last == null || store.isRemote() ? null : openNewestFrom(name, last.version());
    if (newest == null) {
      newest = openFirst(StoreKeys.manifests(name));
    }
    if (newest != null) {
      recordLatest(name, new LastSeen(newest.summary().version(), askedAt));
    }
    if (newest == null || newest.isDelete()) {
      listing.seen(name, /* exists= */ false);
    } else if (!newest.summary().hasExpired(askedAt)) {
      knownNames.add(name.value());
    }
    return newest;
  }

  private @Nullable OpenManifest openFirst(String manifests) throws IOException {
    while (true) {
      List<String> keys = StoreKeys.listManifests(store, manifests, null, 1);
      if (keys.isEmpty()) {
        return null;
      }
      try {
        return cache.open(keys.getFirst());
      } catch (NoSuchBlobException e) {
        // It was deleted after another version was committed.
      }
    }
  }

  /// Steps from the version last seen as the latest to the one without a successor, which must
  /// still exist afterwards: all versions up to it, and its successor, may have been deleted.
  private @Nullable OpenManifest openNewestFrom(DatasetName name, long version) throws IOException {
    OpenManifest newest = stillNewest(name, version);
    if (newest != null) {
      return newest;
    }
    newest = openIfPresent(name, version);
    for (int steps = 0; newest != null; steps++) {
      OpenManifest next;
      try {
        next = openIfPresent(name, newest.summary().version() + 1);
        if (next == null && store.exists(newest.key())) {
          return newest;
        }
      } catch (IOException | RuntimeException e) {
        newest.close();
        throw e;
      }
      newest.close();
      newest = next;
      if (newest != null && steps == MAXIMUM_STEPS) {
        newest.close();
        return null;
      }
    }
    return null;
  }

  /// Returns a version with a cached manifest, if it still exists and has no successor; otherwise
  /// null.
  private @Nullable OpenManifest stillNewest(DatasetName name, long version) throws IOException {
    if (store.exists(StoreKeys.manifest(name, version + 1))) {
      return null;
    }
    String key = StoreKeys.manifest(name, version);
    Manifest manifest = cache.get(key);
    return manifest == null ? null : new OpenManifest(key, null, manifest);
  }

  @Nullable OpenManifest openIfPresent(DatasetName name, long version) throws IOException {
    String key = StoreKeys.manifest(name, version);
    Manifest manifest = cache.get(key);
    if (manifest != null) {
      return new OpenManifest(key, null, manifest);
    }
    try {
      return cache.open(key);
    } catch (NoSuchBlobException e) {
      return null;
    }
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
    LastSeen last = lastSeen.get(reference.name());
    if (last == null || seen > last.version()) {
      return Duration.ZERO;
    }
    if (version == null || !store.isRemote()) {
      return staleness;
    }
    return version <= last.version()
        ? Collections.max(List.of(staleness, DELETION_AGE))
        : Duration.ZERO;
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

  /// The version that was the latest when the store was last asked.
  ///
  /// @param askedAt when the store was asked, or earlier
  record LastSeen(long version, Instant askedAt) {}

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
