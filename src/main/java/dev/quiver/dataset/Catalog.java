package dev.quiver.dataset;

import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  private final BlobStore store;
  private final InstantSource clock;
  private final SeenVersions seen = new SeenVersions();

  Catalog(BlobStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  boolean isEmpty() throws IOException {
    return store.list(StoreKeys.MANIFESTS, null, 1).isEmpty();
  }

  /// The newest version of a name, unless it is a delete.
  @Nullable VersionSummary current(DatasetName name) throws IOException {
    VersionSummary newest = newest(name);
    return newest == null || newest.kind() == Kind.DELETE ? null : newest;
  }

  private @Nullable VersionSummary newest(DatasetName name) throws IOException {
    OpenManifest open = openNewest(name);
    if (open == null) {
      return null;
    }
    try (open) {
      return open.manifest().summary();
    }
  }

  private @Nullable OpenManifest openNewest(DatasetName name) throws IOException {
    OpenManifest newest = openNewestFromSeen(name);
    if (newest == null) {
      List<String> keys = store.list(StoreKeys.manifests(name), null, 1);
      newest = keys.isEmpty() ? null : open(keys.getFirst());
    }
    if (newest != null) {
      seen.put(name, newest.manifest().summary().version());
    }
    return newest;
  }

  /// Steps from the version that was the newest when last seen to the one after which there is
  /// none.
  private @Nullable OpenManifest openNewestFromSeen(DatasetName name) throws IOException {
    Long version = seen.get(name);
    OpenManifest newest = version == null ? null : openIfPresent(name, version);
    for (int steps = 0; newest != null; steps++) {
      OpenManifest next;
      try {
        next = openIfPresent(name, newest.manifest().summary().version() + 1);
      } catch (IOException | RuntimeException e) {
        newest.close();
        throw e;
      }
      if (next == null) {
        return newest;
      }
      newest.close();
      newest = next;
      if (steps == MAXIMUM_STEPS) {
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
  /// @throws DatasetGoneException when it was deleted
  OpenManifest open(DatasetReference reference) throws IOException {
    OpenManifest newest = openNewest(reference.name());
    if (newest == null) {
      throw new DatasetNotFoundException(reference);
    }
    try {
      if (refersTo(newest.manifest().summary(), reference)) {
        return newest;
      }
    } catch (DatasetException e) {
      newest.close();
      throw e;
    }
    newest.close();
    long version = Objects.requireNonNull(reference.version());
    try {
      return open(StoreKeys.manifest(reference.name(), version));
    } catch (NoSuchBlobException e) {
      throw new DatasetNotFoundException(reference);
    }
  }

  /// The version that a reference means.
  ///
  /// @throws DatasetNotFoundException when there is none
  /// @throws DatasetGoneException when it was deleted
  VersionSummary resolve(DatasetReference reference) throws IOException {
    try (OpenManifest open = open(reference)) {
      return open.manifest().summary();
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

  /// The versions of a dataset before `beforeVersion`, newest first.
  List<VersionSummary> versions(VersionSummary newest, long beforeVersion, int limit)
      throws IOException {
    List<VersionSummary> versions = new ArrayList<>();
    String prefix = StoreKeys.manifests(newest.name());
    String after = StoreKeys.manifest(newest.name(), beforeVersion);
    for (String key : store.list(prefix, after, limit)) {
      VersionSummary summary = manifest(key).summary();
      if (summary.version() < newest.firstVersion()) {
        break;
      }
      versions.add(summary);
    }
    return versions;
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
    } catch (IOException e) {
      LOG.log(Level.ERROR, "A dataset is not listed, since its manifest cannot be read: " + key, e);
      return null;
    }
  }

  /// Commits a version after the newest one.
  ///
  /// @param tail what the file has after the extents
  /// @throws PreconditionFailedException when `condition` does not hold, or not any more
  Commit commit(
      DatasetName name,
      WriteCondition condition,
      Kind kind,
      StoredFile file,
      List<Extent> extents,
      MemorySegment tail)
      throws IOException {
    String commitId = Ids.next();
    while (true) {
      VersionSummary newest = newest(name);
      VersionSummary current = newest == null || newest.kind() == Kind.DELETE ? null : newest;
      Conditions.require(condition, current, name);
      if (kind == Kind.DELETE && current == null) {
        throw new DatasetGoneException(new DatasetReference(name, null));
      }
      long version = newest == null ? 1 : Math.addExact(newest.version(), 1);
      long firstVersion = current == null ? version : current.firstVersion();
      VersionSummary summary =
          VersionSummary.of(name, version, commitId, kind, firstVersion, clock.instant(), file);
      if (put(summary, extents, tail)) {
        return new Commit(summary, current == null);
      }
    }
  }

  /// Puts a manifest, and settles what a failure leaves open.
  ///
  /// @return false when another commit has the version
  private boolean put(VersionSummary summary, List<Extent> extents, MemorySegment tail)
      throws IOException {
    String key = StoreKeys.manifest(summary.name(), summary.version());
    MemorySegment manifest = ManifestFormat.write(summary, extents, MemorySegment.NULL, tail);
    try {
      return store.putIfAbsent(key, manifest);
    } catch (IOException e) {
      // The second put makes what is there durable, whoever put it.
      return store.putIfAbsent(key, manifest)
          || manifest(key).summary().commitId().equals(summary.commitId());
    }
  }

  private Manifest manifest(String key) throws IOException {
    try (OpenManifest open = open(key)) {
      return open.manifest();
    }
  }

  private OpenManifest open(String key) throws IOException {
    return OpenManifest.open(store, key);
  }

  /// A version that was committed.
  ///
  /// @param created whether the dataset did not exist before
  record Commit(VersionSummary summary, boolean created) {}

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

    @Override
    public void close() throws IOException {
      blob.close();
    }
  }
}
