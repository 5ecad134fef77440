package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.DatasetName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which version of each name was last seen to be the newest: where to look first, not what is
/// true. The names used last are kept.
final class LatestVersionCache {

  private static final int MAXIMUM_NAMES = 10_000;

  private final Map<DatasetName, Catalog.Seen> versions = new Recent();

  synchronized Catalog.@Nullable Seen get(DatasetName name) {
    return versions.get(name);
  }

  /// Keeps what was seen, unless something newer was.
  synchronized void put(DatasetName name, Catalog.Seen seen) {
    versions.merge(name, seen, (before, now) -> before.version() > now.version() ? before : now);
  }

  private static final class Recent extends LinkedHashMap<DatasetName, Catalog.Seen> {

    private static final long serialVersionUID = 1;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<DatasetName, Catalog.Seen> eldest) {
      return size() > MAXIMUM_NAMES;
    }
  }
}
