package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The names in a store that pass a filter, deleted datasets included, page by page. Each is the
/// key of its latest manifest in a remote store, which lists that at no cost, and the folder of its
/// manifests in a local one.
final class DatasetNames {

  /// The number of keys that a remote store lists by one request.
  private static final int KEYS_PAGE_SIZE = 1000;

  /// While the folder of all names changes, a local store reads all of it for each page.
  private static final int FOLDERS_PAGE_SIZE = 10_000;

  private static final int FIRST_FOLDERS_PAGE_SIZE = 1000;

  private final BlobStore store;
  private final DatasetFilter filter;
  private final String prefix;

  /// A key after every manifest of the last name, or null before the first name.
  private @Nullable String after;

  /// The rest of the store's last page.
  private final Deque<String> listed = new ArrayDeque<>();

  private int pageSize;
  private boolean atEnd;

  /// @param after the place after which to start, or null to start with the first name
  DatasetNames(BlobStore store, DatasetFilter filter, @Nullable Position after) {
    this.store = store;
    this.filter = filter;
    this.prefix = StoreKeys.manifestsOfNames(filter.prefix());
    this.after = after == null ? null : StoreKeys.afterAllOf(after.name());
    this.pageSize = store.isRemote() ? KEYS_PAGE_SIZE : FIRST_FOLDERS_PAGE_SIZE;
  }

  /// Returns whether further names may follow.
  boolean hasNext() {
    return !(atEnd && listed.isEmpty());
  }

  /// Returns at most `limit` keys or folders; fewer only at the end.
  List<String> next(int limit) throws IOException {
    List<String> found = new ArrayList<>();
    while (found.size() < limit && hasNext()) {
      if (listed.isEmpty()) {
        list();
      } else {
        String key = listed.remove();
        if (after == null || key.compareTo(after) > 0) {
          after = StoreKeys.afterAllOf(key);
          if (filter.matches(StoreKeys.name(key))) {
            found.add(key);
          }
        }
      }
    }
    return found;
  }

  private void list() throws IOException {
    if (store.isRemote()) {
      listed.addAll(StoreKeys.listManifests(store, prefix, after, pageSize));
      atEnd = listed.size() < pageSize;
    } else {
      listed.addAll(store.listFolders(prefix, after, pageSize));
      atEnd = listed.size() < pageSize;
      pageSize = FOLDERS_PAGE_SIZE;
    }
  }
}
