package dev.quiver.dataset;

import static java.util.stream.Collectors.toSet;

import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which versions there are: the manifests of a store.
///
/// There is no pointer to the newest version and none is overwritten: it is the first key of a
/// listing, and a commit is a manifest put where no manifest was. Versions follow one another, and
/// the newest is never removed, so that the newest is also found from any that was seen before: the
/// one after which there is none, whoever wrote it.
final class Catalog {

  private static final Logger LOG = System.getLogger(Catalog.class.getName());

  private static final int PAGE_SIZE = 1000;

  /// After how many versions that were not seen before a listing is less work.
  private static final int MAXIMUM_STEPS = 100;

  /// How long a deleted dataset may still be read by a version, where asking takes a request.
  private static final Duration DELETION_AGE = Duration.ofSeconds(10);

  /// How often a manifest is put before its write fails.
  private static final int LOCAL_ATTEMPTS = 2;

  private static final int REMOTE_ATTEMPTS = 4;
  private static final long FIRST_PAUSE_MILLISECONDS = 50;

  private final BlobStore store;
  private final InstantSource clock;
  private final Duration freshness;
  private final Retention retention;
  private final SeenVersions seen = new SeenVersions();

  /// @param freshness how long ago the store may have been asked for the newest version of a name
  ///   that is read
  Catalog(BlobStore store, InstantSource clock, Duration freshness, Retention retention) {
    this.store = store;
    this.clock = clock;
    this.freshness = freshness;
    this.retention = retention;
  }

  boolean isEmpty() throws IOException {
    return store.list(StoreKeys.MANIFESTS, null, 1).isEmpty();
  }

  /// The newest version of a name, unless it is a delete.
  @Nullable VersionSummary current(DatasetName name) throws IOException {
    VersionSummary newest = newest(name);
    return newest == null || newest.kind() == Kind.DELETE ? null : newest;
  }

  /// The newest version of a name, a delete too.
  @Nullable VersionSummary newest(DatasetName name) throws IOException {
    try (OpenManifest newest = openNewest(name, Duration.ZERO)) {
      return newest == null ? null : newest.summary();
    }
  }

  /// Opens the newest version of a name, a delete too.
  ///
  /// @param maximumAge how long ago the store may have been asked which it is
  private @Nullable OpenManifest openNewest(DatasetName name, Duration maximumAge)
      throws IOException {
    Instant askedAt = clock.instant();
    Seen last = seen.get(name);
    if (last != null && !retention.isRecent(last.askedAt(), askedAt)) {
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
      seen.put(name, new Seen(newest.summary().version(), askedAt));
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
    OpenManifest newest = openIfPresent(name, version);
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

  private @Nullable OpenManifest openIfPresent(DatasetName name, long version) throws IOException {
    try {
      return open(StoreKeys.manifest(name, version));
    } catch (NoSuchBlobException e) {
      return null;
    }
  }

  /// Opens the manifest that a reference means.
  ///
  /// @throws DatasetNotFoundException when there is none
  /// @throws DatasetGoneException when it was deleted or removed
  OpenManifest open(DatasetReference reference) throws IOException {
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
      return freshness;
    }
    Seen last = seen.get(reference.name());
    return last != null && version <= last.version()
        ? Collections.max(List.of(freshness, DELETION_AGE))
        : Duration.ZERO;
  }

  /// The version that a reference means.
  ///
  /// @throws DatasetNotFoundException when there is none
  /// @throws DatasetGoneException when it was deleted or removed
  VersionSummary resolve(DatasetReference reference) throws IOException {
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
    if (newest.kind() == Kind.DELETE || version != null && version < newest.firstVersion()) {
      throw new DatasetGoneException(reference);
    }
    return version == null || version == newest.version();
  }

  /// The newest versions of all datasets that are not deleted, in the order of the store. One whose
  /// manifest cannot be read is left out, so that the others are still found.
  List<VersionSummary> list(@Nullable DatasetName afterName, int limit) throws IOException {
    List<VersionSummary> newest = new ArrayList<>();
    String after = afterName == null ? null : StoreKeys.afterAllOf(afterName);
    while (newest.size() < limit) {
      List<String> keys = store.list(StoreKeys.MANIFESTS, after, PAGE_SIZE);
      for (String key : keys) {
        if (after != null && key.compareTo(after) < 0) {
          continue;
        }
        after = StoreKeys.afterAllOf(key);
        VersionSummary summary = readable(key);
        if (summary != null && summary.kind() != Kind.DELETE) {
          newest.add(summary);
        }
        if (newest.size() == limit) {
          break;
        }
      }
      if (keys.size() < PAGE_SIZE) {
        break;
      }
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

  /// Commits a version after the newest one, whichever that is when it is tried.
  ///
  /// @param key of the write, null without one
  /// @return null when `change` has nothing to commit
  /// @throws PreconditionFailedException when `condition` does not hold, or not any more
  @Nullable Commit commit(
      DatasetName name, WriteCondition condition, @Nullable IdempotencyKey key, Change change)
      throws IOException {
    String commitId = Ids.next();
    while (true) {
      Instant readAt = clock.instant();
      try (OpenManifest newest = openNewest(name, Duration.ZERO)) {
        OpenManifest current = isDeleted(newest) ? null : newest;
        Commit replayed = key == null || current == null ? null : replayed(current, key);
        if (replayed != null) {
          return replayed;
        }
        Conditions.require(condition, current == null ? null : current.summary(), name);
        NextVersion next;
        try {
          next = change.on(current);
        } catch (NoSuchBlobException e) {
          if (isStillNewest(name, newest)) {
            change.discard();
            throw e;
          }
          // It was removed since, after others were committed.
          continue;
        } catch (IOException e) {
          change.discard();
          throw e;
        }
        if (next == null) {
          return null;
        }
        if (!retention.isRecent(readAt, clock.instant()) && !isStillNewest(name, newest)) {
          continue;
        }
        Set<String> newData = newData(next, newest);
        retention.requireFresh(newData, clock.instant());
        Manifest manifest = manifest(name, commitId, key, newest, next);
        if (put(manifest, next.tail(), change) && isKept(manifest, newData, readAt)) {
          seen.put(name, new Seen(manifest.summary().version(), readAt));
          return new Commit(manifest.summary(), current == null, manifest.extents());
        }
      }
    }
  }

  /// The commit that was made with a key, if it is remembered.
  @Nullable Commit replayed(DatasetName name, IdempotencyKey key) throws IOException {
    try (OpenManifest newest = openNewest(name, Duration.ZERO)) {
      return newest == null || isDeleted(newest) ? null : replayed(newest, key);
    }
  }

  private @Nullable Commit replayed(OpenManifest newest, IdempotencyKey key) throws IOException {
    String hash = key.hash();
    for (RememberedKey remembered : newest.manifest().keys()) {
      if (remembered.hash().equals(hash)) {
        VersionSummary made = versionOrNewest(newest.summary(), remembered.version());
        return new Commit(made, remembered.version() == made.firstVersion(), List.of());
      }
    }
    return null;
  }

  /// A version that may have been removed since.
  private VersionSummary versionOrNewest(VersionSummary newest, long version) throws IOException {
    try {
      return manifest(StoreKeys.manifest(newest.name(), version)).summary();
    } catch (NoSuchBlobException e) {
      return newest;
    }
  }

  private Manifest manifest(
      DatasetName name,
      String newCommitId,
      @Nullable IdempotencyKey key,
      @Nullable OpenManifest newest,
      NextVersion next) {
    long version = newest == null ? 1 : Math.addExact(newest.summary().version(), 1);
    OpenManifest current = newest == null || isDeleted(newest) ? null : newest;
    VersionSummary summary =
        VersionSummary.of(
            name,
            version,
            current != null && next.kind() == Kind.MERGE
                ? current.summary().commitId()
                : newCommitId,
            next.kind(),
            current == null ? version : current.summary().firstVersion(),
            clock.instant(),
            next.file(),
            source(newest, next.source(), version));
    List<RememberedKey> keys = new ArrayList<>();
    if (current != null) {
      keys.addAll(RememberedKey.carried(current.manifest().keys(), summary.committedAt()));
    }
    if (key != null) {
      keys.add(new RememberedKey(key.hash(), version, summary.committedAt()));
    }
    String parent = newest == null ? null : newest.summary().commitId();
    return new Manifest(summary, parent, keys, next.extents(), 0, next.tail().byteSize());
  }

  /// What was imported last, a deleted dataset's too: so that it is not imported again.
  private static @Nullable Source source(
      @Nullable OpenManifest newest, @Nullable Source imported, long version) {
    if (imported != null) {
      return imported.in(version);
    }
    return newest == null ? null : newest.summary().source();
  }

  private boolean isStillNewest(DatasetName name, @Nullable OpenManifest read) throws IOException {
    try (OpenManifest newest = openNewest(name, Duration.ZERO)) {
      return newest == null
          ? read == null
          : read != null && newest.summary().equals(read.summary());
    }
  }

  /// The blobs that no version names yet.
  private static Set<String> newData(NextVersion next, @Nullable OpenManifest newest) {
    Set<String> keys = next.extents().stream().map(Extent::key).collect(toSet());
    if (newest != null) {
      newest.manifest().extents().forEach(extent -> keys.remove(extent.key()));
    }
    return keys;
  }

  /// Puts a manifest, and settles what a failure leaves open: the version is what tells, so that it
  /// may be put any number of times.
  ///
  /// @return false when another commit has the version
  private boolean put(Manifest manifest, MemorySegment tail, Change change) throws IOException {
    VersionSummary summary = manifest.summary();
    String key = StoreKeys.manifest(summary.name(), summary.version());
    MemorySegment content =
        ManifestFormat.write(
            summary, manifest.parentCommitId(), manifest.keys(), manifest.extents(), tail);
    int attempts = store.isRemote() ? REMOTE_ATTEMPTS : LOCAL_ATTEMPTS;
    for (int attempt = 1; ; attempt++) {
      try {
        // A second put makes what is there durable, whoever put it.
        return store.putIfAbsent(key, content)
            || attempt > 1 && manifest(key).summary().equals(summary);
      } catch (IOException e) {
        if (attempt == attempts) {
          if (!store.isRemote() && !store.exists(key)) {
            change.discard();
          }
          throw e;
        }
        pause(attempt);
      }
    }
  }

  /// A store that has too much to do, has it for a while.
  private void pause(int attempt) throws IOException {
    try {
      if (store.isRemote()) {
        Thread.sleep(FIRST_PAUSE_MILLISECONDS << attempt);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /// Whether a version that was put stays: what it follows was the newest at `readAt`.
  private boolean isKept(Manifest put, Set<String> newData, Instant readAt) throws IOException {
    Instant now = clock.instant();
    return retention.isRecent(readAt, now)
        || new LateCommit(store, retention, put, newData).isKept(now);
  }

  private Manifest manifest(String key) throws IOException {
    try (OpenManifest open = open(key)) {
      return open.manifest();
    }
  }

  private OpenManifest open(String key) throws IOException {
    return OpenManifest.open(store, key);
  }

  private static boolean isDeleted(@Nullable OpenManifest open) {
    return open != null && open.summary().kind() == Kind.DELETE;
  }

  /// A version that was committed.
  ///
  /// @param created whether the dataset did not exist before
  /// @param extents of what was committed now; none when it was before, with the same key
  record Commit(VersionSummary summary, boolean created, List<Extent> extents) {}

  /// The version that was the newest when the store was last asked.
  ///
  /// @param askedAt no later than when it was
  record Seen(long version, Instant askedAt) {}

  /// A manifest whose blob is held open, since it has the head and the tail.
  record OpenManifest(String key, Blob blob, Manifest manifest) implements AutoCloseable {

    static OpenManifest open(BlobStore store, String key) throws IOException {
      Blob blob = store.open(key);
      try {
        return new OpenManifest(key, blob, ManifestFormat.read(key, blob));
      } catch (IOException | RuntimeException e) {
        blob.close();
        throw e;
      }
    }

    VersionSummary summary() {
      return manifest.summary();
    }

    @Override
    public void close() throws IOException {
      blob.close();
    }
  }
}
