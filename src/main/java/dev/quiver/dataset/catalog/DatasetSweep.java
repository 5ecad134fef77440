package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.VersionKind;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Removes what is not needed any more of one name. All is read before anything goes, and versions
/// go before their data, from the oldest up: those that stay are always one run up to the newest,
/// with all they name.
final class DatasetSweep {

  private final BlobStore store;
  private final Retention retention;
  private final Instant now;
  private final BooleanSupplier goesOn;
  private final Set<String> data;
  private long versions;
  private long blobs;

  /// @param now no later than when the data were listed
  /// @param data of the name that are past the grace; those that are named are taken out
  DatasetSweep(
      BlobStore store, Retention retention, Instant now, BooleanSupplier goesOn, Set<String> data) {
    this.store = store;
    this.retention = retention;
    this.now = now;
    this.goesOn = goesOn;
    this.data = data;
  }

  /// @param keys of all manifests of the name, newest first, listed after the data were
  /// @return whether nothing can go until something is committed, however much time passes
  /// @throws IOException when a manifest cannot be read, and nothing was removed, or when the store
  ///   fails
  boolean run(List<String> keys) throws IOException {
    if (keys.isEmpty()) {
      deleteData();
      return false;
    }
    Manifest newest = read(keys.getFirst());
    if (newest == null) {
      // It was removed since, after others were committed: what these name is not known.
      return false;
    }
    Versions all = new Versions(keys, newest);
    int counted = all.lastCounted();
    int kept = all.keepDataFrom(counted);
    boolean isSettled = counted == keys.size() - 1 && data.isEmpty();
    for (int i = keys.size() - 1; i > kept && goesOn.getAsBoolean(); i--) {
      versions += store.delete(keys.get(i)) ? 1 : 0;
    }
    deleteData();
    return isSettled;
  }

  /// What was removed, also by a run that failed.
  GarbageStatistics removed() {
    return new GarbageStatistics(versions, blobs);
  }

  private void deleteData() throws IOException {
    for (String key : data) {
      if (!goesOn.getAsBoolean()) {
        return;
      }
      blobs += store.delete(key) ? 1 : 0;
    }
  }

  /// @return null when it was removed since it was listed
  private @Nullable Manifest read(String key) throws IOException {
    try (Catalog.OpenManifest open = Catalog.OpenManifest.open(store, key)) {
      return open.manifest();
    } catch (NoSuchBlobException e) {
      return null;
    }
  }

  /// The versions of the name, by the index of their manifests: 0 is the newest.
  private final class Versions {

    private final List<String> keys;
    private final Manifest newest;

    Versions(List<String> keys, Manifest newest) {
      this.keys = keys;
      this.newest = newest;
    }

    /// The last version that is kept for its number. A compaction counts as one with what it
    /// compacted, and what was deleted does not count.
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

    /// Takes out what the versions that are kept name.
    ///
    /// @return the last that is kept: `counted` or one after it
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
      // Each append names the data before: the oldest that is kept often names all there are.
      for (int i = kept - 1; i >= 0 && !data.isEmpty(); i--) {
        keepDataOf(manifest(i));
      }
      return kept;
    }

    private void keepDataOf(@Nullable Manifest manifest) {
      if (manifest != null) {
        manifest.extents().forEach(extent -> data.remove(extent.key()));
      }
    }

    /// A version may be younger than its replacement: its writer paused, and put it where another
    /// had been removed.
    private boolean isExpired(Manifest manifest, Manifest replacement) {
      Instant replacedAt = replacement.summary().committedAt();
      return retention.pastGracePeriod(manifest.summary().committedAt(), now)
          && (wasDeleted(manifest)
              ? retention.pastGracePeriod(replacedAt, now)
              : retention.expired(replacedAt, now));
    }

    /// Whether nobody can read a version any more that is not the newest.
    private boolean wasDeleted(Manifest manifest) {
      return newest.summary().kind() == VersionKind.DELETE
          || manifest.summary().version() < newest.summary().firstVersion();
    }

    private @Nullable Manifest manifest(int i) throws IOException {
      return i == 0 ? newest : read(keys.get(i));
    }
  }
}
