package dev.quiver.dataset.read;

import dev.quiver.dataset.catalog.LruCache;
import dev.quiver.dataset.version.VersionSummary;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The plans used last, up to a number of bytes.
///
/// Large ones are made one at a time, since making takes several times what is kept.
public final class LayoutCache {

  private static final int LARGE_BATCH_COUNT = 10_000;

  private final LruCache<Key, ProjectedLayout> plans;
  private final Object largePlans = new Object();

  public LayoutCache(long maximumByteSize) {
    this.plans = new LruCache<>(maximumByteSize);
  }

  /// What makes a plan.
  interface Maker {
    ProjectedLayout make() throws IOException;
  }

  /// The plan of a selection of a version, made when it is not known.
  ///
  /// @param selection no two that differ have the same
  ProjectedLayout get(VersionSummary summary, String selection, Maker maker) throws IOException {
    Key key = new Key(summary.commitId(), summary.version(), selection);
    ProjectedLayout known = plans.get(key);
    if (known != null) {
      return known;
    }
    if (summary.batches() < LARGE_BATCH_COUNT) {
      return keep(key, maker.make());
    }
    synchronized (largePlans) {
      @Nullable ProjectedLayout meanwhile = plans.get(key);
      return meanwhile != null ? meanwhile : keep(key, maker.make());
    }
  }

  /// Bytes of all plans that are kept.
  long byteSize() {
    return plans.byteSize();
  }

  private ProjectedLayout keep(Key key, ProjectedLayout plan) {
    return plans.put(key, plan, plan.memoryByteSize() + key.selection().length());
  }

  private record Key(String commitId, long version, String selection) {}
}
