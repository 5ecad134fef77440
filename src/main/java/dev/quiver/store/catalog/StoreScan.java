package dev.quiver.store.catalog;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.ConcurrentRequests;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.ManifestFormat;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One look at all data of a store, for [StoredBytes].
///
/// Data is listed, which takes one request for a thousand blobs. Manifests are read only for data
/// that no scan has seen before, from the latest on, until the versions of all of it are found.
/// Data without a version does not count: its write is in progress, or has failed. For such data,
/// the next scan reads only manifests that are new.
final class StoreScan {

  private static final Logger LOG = System.getLogger(StoreScan.class.getName());

  /// While the folder of all names changes, a local store reads all of it for each page.
  private static final int PAGE_SIZE = 10_000;

  private static final int MANIFESTS_PAGE_SIZE = 100;

  /// The number of datasets that are looked at at once in a remote store.
  private static final int MAXIMUM_REQUESTS = 32;

  private final BlobStore store;
  private final StoredBytes storedBytes;
  private final long number;
  private final ConcurrentRequests requests;

  StoreScan(BlobStore store, StoredBytes storedBytes, long number) {
    this.store = store;
    this.storedBytes = storedBytes;
    this.number = number;
    this.requests = new ConcurrentRequests(store, MAXIMUM_REQUESTS);
  }

  void run() throws IOException {
    String after = null;
    SequencedMap<String, Long> page;
    do {
      page = store.byteSizes(StoreKeys.DATA, after, PAGE_SIZE);
      after = page.isEmpty() ? null : page.lastEntry().getKey();
      Map<String, Map<String, Long>> unknown = new TreeMap<>();
      page.forEach((key, byteSize) -> {
        if (StoreKeys.isOfFile(key) && !storedBytes.see(key, number)) {
          unknown.computeIfAbsent(StoreKeys.folder(key), _ -> new HashMap<>()).put(key, byteSize);
        }
      });
      find(unknown);
    } while (page.size() == PAGE_SIZE);
  }

  /// Finds the versions of blobs, by the folders of their names.
  private void find(Map<String, Map<String, Long>> unknown) throws IOException {
    requests.forEach(
        unknown.entrySet(),
        entry -> {
          find(entry.getKey(), entry.getValue());
          return true;
        });
  }

  private void find(String folder, Map<String, Long> byteSizes) throws IOException {
    StoredBytes.Search before = storedBytes.lastSearch(folder, number);
    String newest = null;
    String after = null;
    List<String> page;
    do {
      page =
          StoreKeys.listManifests(store, StoreKeys.MANIFESTS + folder, after, MANIFESTS_PAGE_SIZE);
      for (String key : page) {
        if (byteSizes.isEmpty() || before != null && before.isDone(key, byteSizes.keySet())) {
          page = List.of();
          break;
        }
        newest = newest == null ? key : newest;
        Manifest manifest = read(key);
        if (manifest != null) {
          storedBytes.found(manifest, byteSizes);
        }
        after = key;
      }
    } while (page.size() == MANIFESTS_PAGE_SIZE);
    if (!byteSizes.isEmpty()) {
      storedBytes.searched(folder, newest, byteSizes.keySet(), number);
    }
  }

  /// @return the manifest, or null if it was deleted since it was listed, or is unreadable
  private @Nullable Manifest read(String key) throws IOException {
    try (Blob blob = store.open(key)) {
      return ManifestFormat.read(key, blob);
    } catch (NoSuchBlobException e) {
      return null;
    } catch (DamagedBlobException e) {
      // Its reads report the damage. The data of other versions counts nevertheless.
      LOG.log(Level.DEBUG, "A damaged manifest tells no writers", e);
      return null;
    }
  }
}
