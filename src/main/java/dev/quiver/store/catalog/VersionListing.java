package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lists the existing versions of a dataset, newest first.
public final class VersionListing {

  private final BlobStore store;
  private final VersionSummary newest;
  private final boolean compactions;
  private final Instant now;

  /// @param compactions whether to list versions that only coalesced record batches, even next to
  ///   the version they compacted
  /// @param now omits versions that have expired
  private VersionListing(BlobStore store, VersionSummary newest, boolean compactions, Instant now) {
    this.store = store;
    this.newest = newest;
    this.compactions = compactions;
    this.now = now;
  }

  /// A version of a list.
  ///
  /// @param lineage the statement that computed the rows which the version added, or null
  public record Entry(VersionSummary summary, @Nullable Lineage lineage) {}

  /// Returns a page of the versions of a dataset.
  ///
  /// @param beforeVersion the last version of the previous page, or null to start
  /// @param compactions whether to list all compactions
  /// @param now omits versions that have expired
  public static List<Entry> page(
      BlobStore store,
      Catalog catalog,
      DatasetName name,
      @Nullable Long beforeVersion,
      int limit,
      boolean compactions,
      Instant now)
      throws IOException {
    while (true) {
      VersionSummary newest = catalog.resolve(new DatasetReference(name, null));
      long before = beforeVersion == null ? newest.version() + 1 : beforeVersion;
      List<Entry> versions =
          new VersionListing(store, newest, compactions, now).before(before, limit);
      if (!versions.isEmpty() || beforeVersion != null) {
        return versions;
      }
      // Meanwhile, other versions were committed, and all earlier ones were deleted.
    }
  }

  /// Returns at most `limit` versions before `version`.
  private List<Entry> before(long version, int limit) throws IOException {
    List<Entry> versions = new ArrayList<>();
    Entry compaction = null;
    String after = StoreKeys.manifest(newest.name(), version);
    List<String> keys;
    do {
      keys = StoreKeys.listManifests(store, StoreKeys.manifests(newest.name()), after, limit);
      for (String key : keys) {
        after = key;
        Entry entry = entryIfPresent(key);
        if (entry != null) {
          VersionSummary summary = entry.summary();
          if (compaction != null && !compaction.summary().commitId().equals(summary.commitId())) {
            versions.add(compaction);
          }
          boolean hasExpired = summary.hasExpired(now);
          boolean omitted = hasExpired || summary.kind() == VersionKind.COMPACTION && !compactions;
          compaction = omitted && !hasExpired ? entry : null;
          if (versions.size() == limit || summary.version() < newest.firstVersion()) {
            return versions;
          }
          if (!omitted) {
            versions.add(entry);
          }
        }
        if (versions.size() == limit) {
          return versions;
        }
      }
    } while (keys.size() == limit);
    if (compaction != null) {
      // The version that it compacted was deleted.
      versions.add(compaction);
    }
    return versions;
  }

  /// @return the version, or null if it was deleted since it was listed
  private @Nullable Entry entryIfPresent(String key) throws IOException {
    try (Catalog.OpenManifest open = Catalog.OpenManifest.open(store, key)) {
      return new Entry(open.summary(), open.manifest().lineage());
    } catch (NoSuchBlobException e) {
      return null;
    }
  }
}
