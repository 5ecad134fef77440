package dev.quiver.dataset.read;

import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.memory.LruCache;
import java.io.IOException;

/// The plans used last, up to a number of bytes.
///
/// Large ones are made one at a time, since making takes several times what is kept.
public final class LayoutCache {

  private static final int LARGE_BATCH_COUNT = 10_000;

  private final LruCache<Key, ProjectedLayout> plans;

  public LayoutCache(long maximumByteSize) {
    this.plans = new LruCache<>(maximumByteSize);
  }

  /// The plan of a selection of a version, made when it is not known.
  ///
  /// @param selection no two that differ have the same
  ProjectedLayout get(
      VersionSummary summary, String selection, LruCache.Loader<ProjectedLayout> loader)
      throws IOException {
    Key key = new Key(summary.commitId(), summary.version(), selection);
    return plans.get(
        key,
        summary.batches() >= LARGE_BATCH_COUNT,
        loader,
        plan -> plan.memoryByteSize() + selection.length());
  }

  /// Bytes of all plans that are kept.
  long byteSize() {
    return plans.weight();
  }

  private record Key(String commitId, long version, String selection) {}
}
