package dev.quiver.dataset.read;

import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.memory.LruCache;
import java.io.IOException;

/// An LRU cache of layouts, bounded by their bytes.
///
/// Large layouts are computed one at a time, since computing one takes several times its memory.
public final class LayoutCache {

  private static final int LARGE_BATCH_COUNT = 10_000;

  private final LruCache<Key, SelectedFileLayout> layouts;

  public LayoutCache(long maximumByteSize) {
    this.layouts = new LruCache<>(maximumByteSize);
  }

  /// Returns the layout of a selection of a version, computing it if absent.
  ///
  /// @param selection the id of the selection
  SelectedFileLayout get(
      VersionSummary summary, String selection, LruCache.Loader<SelectedFileLayout> loader)
      throws IOException {
    return layouts.get(
        new Key(summary.commitId(), summary.version(), selection),
        summary.file().batches() >= LARGE_BATCH_COUNT,
        loader,
        layout -> layout.memoryByteSize() + selection.length());
  }

  /// Returns the bytes of all cached layouts.
  long byteSize() {
    return layouts.weight();
  }

  private record Key(String commitId, long version, String selection) {}
}
