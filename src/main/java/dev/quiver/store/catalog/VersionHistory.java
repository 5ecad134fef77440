package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionChange;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The versions of datasets in the order of their commits.
///
/// Listeners of a dataset follow it together. However many they are, the manifest of each version
/// between two questions of the [VersionWatch] is read once.
public final class VersionHistory {

  /// Enough for the datasets that change at the same time, at a few hundred bytes each.
  private static final int RECENT_MAXIMUM = 1000;

  private static final int LOCKS = 64;

  private final Catalog catalog;
  private final LruCache<String, VersionSummary> recent = new LruCache<>(RECENT_MAXIMUM);

  /// The locks of keys, by hash, so that no two threads read the same manifest.
  private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();

  VersionHistory(Catalog catalog) {
    this.catalog = catalog;
  }

  /// Returns the latest version of a name.
  ///
  /// @param seen a version that the caller knows of, or 0. If it is later than the last one seen
  ///   here, the store is asked
  /// @throws DatasetNotFoundException if the dataset never existed
  /// @throws DatasetGoneException if it was deleted
  public VersionSummary latest(DatasetName name, long seen) throws IOException {
    try (Catalog.OpenManifest open =
        catalog.open(new DatasetReference(name, null), seen, Duration.ZERO)) {
      return open.summary();
    }
  }

  /// Returns a cursor whose first version is the latest one, or the one that this compacted.
  public VersionCursor startingAt(VersionSummary latest) throws IOException {
    VersionSummary first = latest;
    VersionSummary before = before(first);
    while (first.kind() == VersionKind.COMPACTION && before != null) {
      first = before;
      before = before(first);
    }
    return new VersionCursor(this, latest, VersionChange.of(before, first));
  }

  /// Returns a cursor after a version, or null if the version is unknown or has expired, or if the
  /// dataset was deleted after it.
  public @Nullable VersionCursor after(VersionSummary latest, long version) throws IOException {
    // The delete itself is the version before the one that created the dataset again.
    if (version > latest.version() || version < latest.firstVersion() - 1) {
      return null;
    }
    VersionSummary seen = version == latest.version() ? latest : read(latest.name(), version);
    return seen == null ? null : new VersionCursor(this, seen, null);
  }

  /// Returns the version after another one.
  ///
  /// @throws DatasetGoneException if it has expired
  VersionSummary next(VersionSummary version) throws IOException {
    long next = version.version() + 1;
    VersionSummary summary = recent(version.name(), next);
    if (summary == null) {
      throw DatasetGoneException.expired(new DatasetReference(version.name(), next));
    }
    return summary;
  }

  private @Nullable VersionSummary before(VersionSummary version) throws IOException {
    return version.version() == version.firstVersion()
        ? null
        : recent(version.name(), version.version() - 1);
  }

  private @Nullable VersionSummary recent(DatasetName name, long version) throws IOException {
    String key = StoreKeys.manifest(name, version);
    synchronized (locks[Math.floorMod(key.hashCode(), LOCKS)]) {
      VersionSummary summary = recent.get(key);
      if (summary == null) {
        summary = read(name, version);
        if (summary != null) {
          recent.put(key, summary);
        }
      }
      return summary;
    }
  }

  private @Nullable VersionSummary read(DatasetName name, long version) throws IOException {
    try {
      return catalog.manifest(StoreKeys.manifest(name, version)).summary();
    } catch (NoSuchBlobException e) {
      return null;
    }
  }
}
