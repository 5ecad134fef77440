package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.DatasetException;
import dev.quiver.dataset.version.DatasetGoneException;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.DatasetNotFoundException;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.memory.LruCache;
import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which versions there are: the manifests of a store.
///
/// There is no pointer to the newest version and none is overwritten: it is the first key of a
/// listing, and a commit is a manifest put where no manifest was. Versions follow one another, and
/// the newest is never removed, so that the newest is also found from any that was seen before: the
/// one after which there is none, whoever wrote it.
public final class Catalog {

  private static final Logger LOG = System.getLogger(Catalog.class.getName());

  private static final int PAGE_SIZE = 1000;
  private static final int SEEN_NAMES_MAXIMUM = 10_000;

  /// After how many versions that were not seen before a listing is less work.
  private static final int MAXIMUM_STEPS = 100;

  /// How long a deleted dataset may still be read by a version, where asking takes a request.
  private static final Duration DELETION_AGE = Duration.ofSeconds(10);

  private final BlobStore store;
  private final InstantSource clock;
  private final Duration maxStaleness;
  private final Retention retention;

  /// The version of each name that was last seen to be the newest: where to look first, not what is
  /// true.
  private final LruCache<DatasetName, Seen> seen = new LruCache<>(SEEN_NAMES_MAXIMUM);

  private final ManifestCache known;

  /// @param maxStaleness how long ago the store may have been asked for the newest version of a
  ///   name that is read
  public Catalog(BlobStore store, InstantSource clock, Duration maxStaleness, Retention retention) {
    this.store = store;
    this.clock = clock;
    this.maxStaleness = maxStaleness;
    this.retention = retention;
    this.known = new ManifestCache(store);
  }

  /// Begins a write, which is to be closed.
  ///
  /// @param key of the write, or null if absent: one that was done is not done again
  public WriteTransaction begin(
      DatasetName name, WriteCondition condition, @Nullable IdempotencyKey key) {
    return new WriteTransaction(this, store, clock, retention, name, condition, key);
  }

  public boolean isEmpty() throws IOException {
    return store.list(StoreKeys.MANIFESTS, null, 1).isEmpty();
  }

  /// The newest version of a name, unless it is a delete.
  public @Nullable VersionSummary current(DatasetName name) throws IOException {
    VersionSummary newest = newest(name);
    return newest == null || newest.kind() == VersionKind.DELETE ? null : newest;
  }

  /// The newest version of a name, a delete too.
  public @Nullable VersionSummary newest(DatasetName name) throws IOException {
    try (OpenManifest newest = openNewest(name, Duration.ZERO)) {
      return newest == null ? null : newest.summary();
    }
  }

  /// Opens the newest version of a name, a delete too, as the store says now which it is.
  @Nullable OpenManifest openNewest(DatasetName name) throws IOException {
    return openNewest(name, Duration.ZERO);
  }

  /// Notes that a version is the newest.
  ///
  /// @param askedAt no later than when that was so
  void see(VersionSummary newest, Instant askedAt) {
    see(newest.name(), new Seen(newest.version(), askedAt));
  }

  /// Keeps the newer of two versions.
  private void see(DatasetName name, Seen latest) {
    seen.merge(name, latest, (before, now) -> before.version() > now.version() ? before : now);
  }

  /// Opens the newest version of a name, a delete too.
  ///
  /// @param maximumAge how long ago the store may have been asked which it is
  private @Nullable OpenManifest openNewest(DatasetName name, Duration maximumAge)
      throws IOException {
    Instant askedAt = clock.instant();
    Seen last = seen.get(name);
    if (last != null && !retention.withinReadWindow(last.askedAt(), askedAt)) {
      // It may have been removed, and what has its number now be of a writer that was paused.
      last = null;
    }
    if (last != null && Duration.between(last.askedAt(), askedAt).compareTo(maximumAge) < 0) {
      OpenManifest newest = openIfPresent(name, last.version());
      if (newest != null) {
        return newest;
      }
    }
    // A folder lists all manifests of a name to find the first; elsewhere that is one request.
    OpenManifest newest =
        last == null || store.isRemote() ? null : openNewestFrom(name, last.version());
    if (newest == null) {
      newest = openFirst(StoreKeys.manifests(name));
    }
    if (newest != null) {
      see(name, new Seen(newest.summary().version(), askedAt));
    }
    return newest;
  }

  private @Nullable OpenManifest openFirst(String manifests) throws IOException {
    while (true) {
      List<String> keys = store.list(manifests, null, 1);
      if (keys.isEmpty()) {
        return null;
      }
      try {
        return open(keys.getFirst());
      } catch (NoSuchBlobException e) {
        // It was removed since, after another one was committed.
      }
    }
  }

  /// Steps from the version that was the newest when last seen to the one after which there is
  /// none. That one has to be there still: meanwhile all up to it may have been removed, and the
  /// one after it as well.
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

  /// A version of which is known what it says, when there is none after it and it is there still.
  private @Nullable OpenManifest stillNewest(DatasetName name, long version) throws IOException {
    if (store.exists(StoreKeys.manifest(name, version + 1))) {
      return null;
    }
    String key = StoreKeys.manifest(name, version);
    Manifest manifest = known.get(key);
    return manifest == null ? null : new OpenManifest(key, null, manifest);
  }

  private @Nullable OpenManifest openIfPresent(DatasetName name, long version) throws IOException {
    String key = StoreKeys.manifest(name, version);
    Manifest manifest = known.get(key);
    if (manifest != null) {
      return new OpenManifest(key, null, manifest);
    }
    try {
      return open(key);
    } catch (NoSuchBlobException e) {
      return null;
    }
  }

  /// Opens the manifest that a reference means.
  ///
  /// @throws DatasetNotFoundException when there is none
  /// @throws DatasetGoneException when it was deleted or removed
  public OpenManifest open(DatasetReference reference) throws IOException {
    OpenManifest newest = openNewest(reference.name(), maximumAge(reference));
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
    long version = Objects.requireNonNull(reference.version());
    OpenManifest pinned = openIfPresent(reference.name(), version);
    if (pinned == null) {
      // There was every version up to the newest.
      throw DatasetGoneException.removed(reference);
    }
    return pinned;
  }

  /// How long ago the store may have been asked which version is the newest. For a pinned one that
  /// says whether it was deleted since, and it may have been asked for before it was there.
  private Duration maximumAge(DatasetReference reference) {
    Long version = reference.version();
    if (version == null || !store.isRemote()) {
      return maxStaleness;
    }
    Seen last = seen.get(reference.name());
    return last != null && version <= last.version()
        ? Collections.max(List.of(maxStaleness, DELETION_AGE))
        : Duration.ZERO;
  }

  /// The version that a reference means.
  ///
  /// @throws DatasetNotFoundException when there is none
  /// @throws DatasetGoneException when it was deleted or removed
  public VersionSummary resolve(DatasetReference reference) throws IOException {
    try (OpenManifest open = open(reference)) {
      return open.summary();
    }
  }

  /// Whether the newest version is the one meant, rather than one before it.
  private static boolean refersTo(VersionSummary newest, DatasetReference reference) {
    Long version = reference.version();
    if (version != null && version > newest.version()) {
      throw new DatasetNotFoundException(reference);
    }
    if (newest.kind() == VersionKind.DELETE || version != null && version < newest.firstVersion()) {
      throw new DatasetGoneException(reference);
    }
    return version == null || version == newest.version();
  }

  /// The newest versions of all datasets that are not deleted, in the order of the store. One whose
  /// manifest cannot be read is left out, so that the others are still found.
  public List<VersionSummary> list(@Nullable DatasetName afterName, int limit) throws IOException {
    List<VersionSummary> newest = new ArrayList<>();
    String after = afterName == null ? null : StoreKeys.afterAllOf(afterName);
    // Each key of a folder costs opening the one it is in; elsewhere each page costs a request.
    int pageSize = store.isRemote() ? PAGE_SIZE : 2 * Math.min(limit, PAGE_SIZE / 2);
    while (newest.size() < limit) {
      List<String> keys = store.list(StoreKeys.MANIFESTS, after, pageSize);
      for (String key : keys) {
        if (after != null && key.compareTo(after) < 0) {
          continue;
        }
        after = StoreKeys.afterAllOf(key);
        VersionSummary summary = readable(key);
        if (summary != null && summary.kind() != VersionKind.DELETE) {
          newest.add(summary);
        }
        if (newest.size() == limit) {
          break;
        }
      }
      if (keys.size() < pageSize) {
        break;
      }
      pageSize = PAGE_SIZE;
    }
    return newest;
  }

  private @Nullable VersionSummary readable(String key) {
    try {
      return manifest(key).summary();
    } catch (NoSuchBlobException e) {
      return readableFirst(key.substring(0, key.lastIndexOf('/') + 1));
    } catch (IOException e) {
      LOG.log(Level.ERROR, "A dataset is not listed, since its manifest cannot be read: " + key, e);
      return null;
    }
  }

  /// The newest version of a name, after one was removed that was the newest.
  private @Nullable VersionSummary readableFirst(String manifests) {
    try (OpenManifest newest = openFirst(manifests)) {
      return newest == null ? null : newest.summary();
    } catch (IOException e) {
      LOG.log(Level.ERROR, "A dataset is not listed, since it cannot be read: " + manifests, e);
      return null;
    }
  }

  /// The manifest of a key.
  ///
  /// @throws NoSuchBlobException when there is none
  Manifest manifest(String key) throws IOException {
    try (OpenManifest open = open(key)) {
      return open.manifest();
    }
  }

  private OpenManifest open(String key) throws IOException {
    return known.open(key);
  }

  /// The version that was the newest when the store was last asked.
  ///
  /// @param askedAt no later than when it was
  record Seen(long version, Instant askedAt) {}

  /// A manifest, whose blob is held open, since it has the head and the tail, when it was read.
  ///
  /// @param blob null when it was known what it says
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

    /// Whether the dataset was deleted by this version.
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
