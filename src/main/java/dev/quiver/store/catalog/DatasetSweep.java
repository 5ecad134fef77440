package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Deletes the garbage of one name. Everything is read before anything is deleted. Versions are
/// deleted before their data, from the oldest up. So the remaining versions are always contiguous
/// up to the latest, and all the data they name exists.
final class DatasetSweep {

  private final BlobStore store;
  private final Retention retention;
  private final Instant now;
  private final Cancellation cancellation = Cancellation.current();
  private final Set<String> data;

  /// The keys of statistics among the data, by the commit id of their version.
  private final Map<String, List<String>> statistics;

  private long versions;
  private long blobs;
  private @Nullable DatasetName expired;

  /// @param now when the data was listed, or earlier
  /// @param data the keys of the name's blobs past the grace period, from which the keys that a
  ///   kept version names are removed
  DatasetSweep(BlobStore store, Retention retention, Instant now, Set<String> data) {
    this.store = store;
    this.retention = retention;
    this.now = now;
    this.data = data;
    this.statistics =
        data.stream()
            .filter(key -> StoreKeys.commitIdOfStatistics(key) != null)
            .collect(Collectors.groupingBy(StoreKeys::commitIdOfStatistics));
  }

  /// @param keys the keys of all manifests of the name, newest first, listed after the data
  /// @return whether nothing can be deleted until the next commit, no matter how much time passes
  /// @throws IOException if a manifest is unreadable, in which case nothing was deleted, or if the
  ///   store fails
  boolean run(List<String> keys) throws IOException {
    if (keys.isEmpty()) {
      deleteData();
      return false;
    }
    Manifest newest = read(keys.getFirst());
    if (newest == null) {
      // It was deleted after later versions were committed, and the blobs they name are unknown.
      return false;
    }
    Versions all = new Versions(keys, newest);
    int counted = all.lastCounted();
    int kept = all.keepDataFrom(counted);
    boolean isSettled =
        counted == keys.size() - 1 && data.isEmpty() && newest.summary().expiresAt() == null;
    if (newest.summary().hasExpired(now)) {
      expired = newest.summary().name();
    }
    for (int i = keys.size() - 1; i > kept && !cancellation.isRequested(); i--) {
      versions += store.delete(keys.get(i)) ? 1 : 0;
    }
    deleteData();
    return isSettled;
  }

  /// Returns the name if its latest version has expired, or null.
  @Nullable DatasetName expired() {
    return expired;
  }

  /// Returns what was deleted, even by a run that failed.
  GarbageStatistics deleted() {
    return new GarbageStatistics(versions, blobs);
  }

  private void deleteData() throws IOException {
    for (String key : data) {
      if (cancellation.isRequested()) {
        return;
      }
      blobs += store.delete(key) ? 1 : 0;
    }
  }

  /// @return the manifest, or null if it was deleted since it was listed
  private @Nullable Manifest read(String key) throws IOException {
    try (Catalog.OpenManifest open = Catalog.OpenManifest.open(store, key)) {
      return open.manifest();
    } catch (NoSuchBlobException e) {
      return null;
    }
  }

  /// The versions of the name, by the index of their manifests: 0 is the latest.
  private final class Versions {

    private final List<String> keys;
    private final Manifest newest;

    Versions(List<String> keys, Manifest newest) {
      this.keys = keys;
      this.newest = newest;
    }

    /// Returns the last version that the retention count protects. A compaction counts as one with
    /// the version it compacted, and deleted datasets do not count.
    int lastCounted() throws IOException {
      Set<String> commits = new HashSet<>(Set.of(newest.summary().commitId()));
      int last = 0;
      for (int i = 1; i < keys.size() && commits.size() < retention.count(); i++) {
        Manifest manifest = manifest(i);
        if (manifest != null) {
          if (wasDeleted(manifest)) {
            return last;
          }
          last = commits.add(manifest.summary().commitId()) ? i : last;
        }
      }
      return last;
    }

    /// Removes the data that the kept versions name from the data to delete.
    ///
    /// @return the last kept version: `counted` or an older one
    int keepDataFrom(int counted) throws IOException {
      int kept = keys.size() - 1;
      Manifest manifest = manifest(kept);
      for (int i = kept - 1; kept > counted; i--) {
        Manifest replacement = manifest(i);
        if (replacement != null) {
          if (manifest != null && !isExpired(manifest, replacement)) {
            break;
          }
          kept = i;
          manifest = replacement;
        }
      }
      keepDataOf(manifest);
      // Each append names all earlier data, so the oldest kept version often names all that is
      // left.
      for (int i = kept - 1; i >= 0 && !data.isEmpty(); i--) {
        keepDataOf(manifest(i));
      }
      return kept;
    }

    private void keepDataOf(@Nullable Manifest manifest) {
      if (manifest != null) {
        data.removeAll(manifest.blobKeys());
        statistics.getOrDefault(manifest.summary().commitId(), List.of()).forEach(data::remove);
      }
    }

    /// Returns whether a version may be deleted. It may be younger than its replacement, if its
    /// writer paused and reused the number of a deleted version.
    private boolean isExpired(Manifest manifest, Manifest replacement) {
      Instant replacedAt = replacement.summary().committedAt();
      return retention.pastGracePeriod(manifest.summary().committedAt(), now)
          && (wasDeleted(manifest)
              ? retention.pastGracePeriod(replacedAt, now)
              : retention.expired(replacedAt, now));
    }

    /// Returns whether a version before the latest belongs to a deleted dataset, so that no reader
    /// can open it.
    private boolean wasDeleted(Manifest manifest) {
      return newest.summary().kind() == VersionKind.DELETE
          || manifest.summary().version() < newest.summary().firstVersion();
    }

    private @Nullable Manifest manifest(int i) throws IOException {
      return i == 0 ? newest : read(keys.get(i));
    }
  }
}
