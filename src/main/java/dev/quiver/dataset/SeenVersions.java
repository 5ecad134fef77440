package dev.quiver.dataset;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which version of each name was last seen to be the newest: where to look first, not what is
/// true. The names used last are kept.
final class SeenVersions {

  private static final int MAXIMUM_NAMES = 10_000;

  private final Map<DatasetName, Long> versions = new Recent();

  synchronized @Nullable Long get(DatasetName name) {
    return versions.get(name);
  }

  synchronized void put(DatasetName name, long version) {
    versions.put(name, version);
  }

  private static final class Recent extends LinkedHashMap<DatasetName, Long> {

    private static final long serialVersionUID = 1;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<DatasetName, Long> eldest) {
      return size() > MAXIMUM_NAMES;
    }
  }
}
