package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.arrow.parallel.SharedTasks;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The latest version of each name, which the store is asked for.
///
/// Version numbers have no gaps, and the latest version is never deleted. So the latest version is
/// the one without a successor, from any version seen before, regardless of which process wrote it.
/// That holds for a quarter of the grace period after a version was seen: its successor cannot have
/// been deleted since. After longer, a listing tells the latest version: its first key.
///
/// In a remote store, each step is a request. It is asked for the successor of the version last
/// seen, and if there is one, for that one's. If many versions were committed since, a listing is
/// less work. Threads that ask for the same name at a time share a request, which begins after each
/// of them has asked.
///
/// Shared by threads.
final class NewestVersions {

  private static final int SEEN_NAMES_MAXIMUM = 10_000;

  /// The number of unseen versions above which a listing is less work.
  private static final int LOCAL_STEPS_MAXIMUM = 100;

  private static final int REMOTE_STEPS_MAXIMUM = 1;

  /// The number of names that the store can be asked for at a time.
  private static final int QUESTIONS_MAXIMUM = 256;

  private final BlobStore store;
  private final InstantSource clock;
  private final Retention retention;
  private final ManifestCache cache;

  /// The version of each name that was last seen as the latest.
  private final LruCache<DatasetName, LastSeen> lastSeen = new LruCache<>(SEEN_NAMES_MAXIMUM);

  private final SharedTasks<DatasetName, Long> questions = new SharedTasks<>();

  /// Held during a question about a name with this hash.
  private final List<ReentrantLock> asking =
      IntStream.range(0, QUESTIONS_MAXIMUM).mapToObj(_ -> new ReentrantLock()).toList();

  /// @param cache of the manifests
  NewestVersions(BlobStore store, InstantSource clock, Retention retention, ManifestCache cache) {
    this.store = store;
    this.clock = clock;
    this.retention = retention;
    this.cache = cache;
  }

  /// The version that was the latest when the store was last asked.
  ///
  /// @param askedAt when the store was asked, or earlier
  record LastSeen(long version, Instant askedAt) {}

  /// Returns the version that was last seen as the latest, or null, without asking the store.
  @Nullable LastSeen last(DatasetName name) {
    return lastSeen.get(name);
  }

  /// Records that a version was the latest, or exists, unless a later one is recorded.
  ///
  /// @param askedAt when that was so, or earlier
  void record(DatasetName name, long version, Instant askedAt) {
    lastSeen.merge(
        name,
        new LastSeen(version, askedAt),
        (before, now) -> before.version() > now.version() ? before : now);
  }

  /// Opens the latest version of a name, which may be a delete, or returns null if absent.
  ///
  /// @param maximumAge the maximum time since the store was last asked for it
  Catalog.@Nullable OpenManifest open(DatasetName name, Duration maximumAge) throws IOException {
    Instant askedAt = clock.instant();
    LastSeen last = usable(name, askedAt);
    if (last != null && Duration.between(last.askedAt(), askedAt).compareTo(maximumAge) < 0) {
      Catalog.OpenManifest newest = openIfPresent(name, last.version());
      if (newest != null) {
        return newest;
      }
    }
    if (store.isRemote()) {
      return openShared(name);
    }
    Catalog.OpenManifest newest = last == null ? null : openLocal(name, last.version());
    if (newest == null) {
      newest = openFirst(name);
    }
    if (newest != null) {
      record(name, newest.summary().version(), askedAt);
    }
    return newest;
  }

  /// Opens a version, or returns null if it does not exist.
  Catalog.@Nullable OpenManifest openIfPresent(DatasetName name, long version) throws IOException {
    return cache.openIfPresent(StoreKeys.manifest(name, version));
  }

  /// Returns the version last seen, unless it may have been deleted since, and a paused writer may
  /// have reused its number.
  private @Nullable LastSeen usable(DatasetName name, Instant now) {
    LastSeen last = lastSeen.get(name);
    return last != null && retention.withinReadWindow(last.askedAt(), now) ? last : null;
  }

  private Catalog.@Nullable OpenManifest openShared(DatasetName name) throws IOException {
    while (true) {
      long newest = questions.get(name, progress -> ask(name, progress));
      if (newest == 0) {
        return null;
      }
      Catalog.OpenManifest opened = openIfPresent(name, newest);
      if (opened != null) {
        return opened;
      }
      // It was deleted after another version was committed.
      lastSeen.remove(name);
    }
  }

  /// Asks for the number of the latest version. Further threads share this question until the one
  /// before it has ended.
  ///
  /// @return 0 if absent
  private long ask(DatasetName name, SharedTasks.Progress progress) throws IOException {
    ReentrantLock lock = asking.get(Math.floorMod(name.hashCode(), QUESTIONS_MAXIMUM));
    lock.lock();
    try {
      progress.begin();
      Instant askedAt = clock.instant();
      LastSeen last = usable(name, askedAt);
      long newest = last == null ? 0 : withoutSuccessor(name, last.version());
      if (newest == 0) {
        newest = listed(name);
      }
      if (newest > 0) {
        record(name, newest, askedAt);
      }
      return newest;
    } finally {
      lock.unlock();
    }
  }

  /// Returns the latest version from an earlier one on, or 0 if a listing is less work.
  private long withoutSuccessor(DatasetName name, long version) throws IOException {
    for (int step = 0; step <= REMOTE_STEPS_MAXIMUM; step++) {
      if (!store.exists(StoreKeys.manifest(name, version + step + 1))) {
        return version + step;
      }
    }
    return 0;
  }

  private long listed(DatasetName name) throws IOException {
    List<String> keys = StoreKeys.listManifests(store, StoreKeys.manifests(name), null, 1);
    return keys.isEmpty() ? 0 : StoreKeys.version(keys.getFirst());
  }

  private Catalog.@Nullable OpenManifest openFirst(DatasetName name) throws IOException {
    while (true) {
      List<String> keys = StoreKeys.listManifests(store, StoreKeys.manifests(name), null, 1);
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
  private Catalog.@Nullable OpenManifest openLocal(DatasetName name, long version)
      throws IOException {
    Catalog.OpenManifest newest = stillNewest(name, version);
    if (newest != null) {
      return newest;
    }
    newest = openIfPresent(name, version);
    for (int steps = 0; newest != null; steps++) {
      Catalog.OpenManifest next;
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
      if (newest != null && steps == LOCAL_STEPS_MAXIMUM) {
        newest.close();
        return null;
      }
    }
    return null;
  }

  /// Returns a version with a cached manifest, if it still exists and has no successor; otherwise
  /// null.
  private Catalog.@Nullable OpenManifest stillNewest(DatasetName name, long version)
      throws IOException {
    if (store.exists(StoreKeys.manifest(name, version + 1))) {
      return null;
    }
    String key = StoreKeys.manifest(name, version);
    Manifest manifest = cache.get(key);
    return manifest == null ? null : new Catalog.OpenManifest(key, null, manifest);
  }
}
