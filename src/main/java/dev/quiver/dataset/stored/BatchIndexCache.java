package dev.quiver.dataset.stored;

import dev.quiver.dataset.version.ByteRange;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.memory.LruCache;
import java.io.IOException;

/// An LRU cache of footers, bounded by their bytes. The footer used last stays, however large it
/// is.
///
/// Large footers are read one at a time, since reading takes several times the memory of the
/// result.
public final class BatchIndexCache {

  private static final int LARGE_FOOTER_BYTE_SIZE = 1 << 20;

  /// Bytes of a batch: three numbers of its block and one of its rows.
  private static final long BATCH_BYTE_SIZE = 28;

  /// The approximate ratio of a schema's size as objects to its encoded size.
  private static final long SCHEMA_FACTOR = 10;

  private final LruCache<Key, BatchIndex.Contents> contents;

  public BatchIndexCache(long maximumByteSize) {
    this.contents = new LruCache<>(maximumByteSize);
  }

  public BatchIndex.Contents get(VersionSummary summary, SnapshotBytes bytes, ByteRange footer)
      throws IOException {
    Key key = new Key(summary.commitId(), summary.version());
    long weight =
        BATCH_BYTE_SIZE * summary.file().batches()
            + SCHEMA_FACTOR * summary.file().schemaMetaDataLength();
    return contents.get(
        key,
        footer.byteSize() >= LARGE_FOOTER_BYTE_SIZE,
        () -> BatchIndex.read(bytes, footer),
        _ -> weight);
  }

  private record Key(String commitId, long version) {}
}
