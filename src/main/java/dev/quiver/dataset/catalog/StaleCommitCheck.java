package dev.quiver.dataset.catalog;

import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// What became of a version that was put by a writer who had paused: for so long that others may
/// have removed what it was to follow, or data that no version had named.
final class StaleCommitCheck {

  private final BlobStore store;
  private final Retention retention;
  private final Manifest put;
  private final Set<String> newData;

  /// @param put the version that is there
  /// @param newData what no version named before it
  StaleCommitCheck(BlobStore store, Retention retention, Manifest put, Set<String> newData) {
    this.store = store;
    this.retention = retention;
    this.put = put;
    this.newData = newData;
  }

  /// Whether the version is the newest, or one on which the newer ones build. If it is not, or its
  /// data may be gone, it is taken back.
  ///
  /// It is not when others committed this version and more meanwhile, and removed it since: then
  /// nobody would ever see it.
  ///
  /// @param now no earlier than when the version was put
  /// @throws IOException when its data may be gone, or when it was removed since and it is not
  ///   known what it was
  boolean stillValid(Instant now) throws IOException {
    boolean isKept;
    try {
      isKept = isNewest() || isBuiltOn();
    } catch (IOException e) {
      // It was put: that is worth asking once more.
      isKept = isNewest() || isBuiltOn();
    }
    if (isKept) {
      requireFreshData(now);
    } else if (!store.delete(key())) {
      throw new IOException(
          "Expected version %d but found it removed before its commit was answered at %s"
              .formatted(put.summary().version(), put.summary().name().value()));
    }
    return isKept;
  }

  private boolean isNewest() throws IOException {
    return store.list(StoreKeys.manifests(put.summary().name()), null, 1).equals(List.of(key()));
  }

  private boolean isBuiltOn() throws IOException {
    String next = StoreKeys.manifest(put.summary().name(), put.summary().version() + 1);
    try (Catalog.OpenManifest open = Catalog.OpenManifest.open(store, next)) {
      return put.summary().commitId().equals(open.manifest().parentCommitId());
    } catch (NoSuchBlobException e) {
      return false;
    }
  }

  /// Whoever looks for what to remove from now on finds the data named.
  private void requireFreshData(Instant now) throws IOException {
    try {
      retention.requireCommittable(newData, now);
    } catch (IOException e) {
      if (isNewest()) {
        store.delete(key());
      }
      throw e;
    }
  }

  private String key() {
    return StoreKeys.manifest(put.summary().name(), put.summary().version());
  }
}
