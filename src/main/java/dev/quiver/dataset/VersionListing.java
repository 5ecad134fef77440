package dev.quiver.dataset;

import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lists the versions of a dataset that are there, newest first.
final class VersionListing {

  private final BlobStore store;
  private final VersionSummary newest;
  private final boolean merges;

  /// @param merges whether to list versions that only joined record batches, also next to the one
  ///   whose batches they joined
  VersionListing(BlobStore store, VersionSummary newest, boolean merges) {
    this.store = store;
    this.newest = newest;
    this.merges = merges;
  }

  /// At most `limit` versions before one.
  List<VersionSummary> before(long version, int limit) throws IOException {
    List<VersionSummary> versions = new ArrayList<>();
    VersionSummary merge = null;
    String after = StoreKeys.manifest(newest.name(), version);
    List<String> keys;
    do {
      keys = store.list(StoreKeys.manifests(newest.name()), after, limit);
      for (String key : keys) {
        after = key;
        VersionSummary summary = summaryIfPresent(key);
        if (summary != null) {
          if (merge != null && !merge.commitId().equals(summary.commitId())) {
            versions.add(merge);
          }
          boolean isLeftOut = summary.kind() == Kind.MERGE && !merges;
          merge = isLeftOut ? summary : null;
          if (versions.size() == limit || summary.version() < newest.firstVersion()) {
            return versions;
          }
          if (!isLeftOut) {
            versions.add(summary);
          }
        }
        if (versions.size() == limit) {
          return versions;
        }
      }
    } while (keys.size() == limit);
    if (merge != null) {
      // What it merged was removed.
      versions.add(merge);
    }
    return versions;
  }

  /// @return null when it was removed since it was listed
  private @Nullable VersionSummary summaryIfPresent(String key) throws IOException {
    try (Catalog.OpenManifest open = Catalog.OpenManifest.open(store, key)) {
      return open.manifest().summary();
    } catch (NoSuchBlobException e) {
      return null;
    }
  }
}
