package dev.quiver.dataset;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the footers of the versions used last say, up to a number of bytes. The one used last is
/// kept however large it is.
///
/// Large footers are read one at a time, since reading takes several times what is kept.
final class BatchIndexes {

  private static final int LARGE_FOOTER_BYTE_SIZE = 1 << 20;

  /// Bytes of a batch: three numbers of its block and one of its rows.
  private static final long BATCH_BYTE_SIZE = 28;

  /// How much larger a schema is as objects, roughly.
  private static final long SCHEMA_FACTOR = 10;

  private final long maximumByteSize;
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final Object largeReads = new Object();
  private long byteSize;

  BatchIndexes(long maximumByteSize) {
    this.maximumByteSize = maximumByteSize;
  }

  BatchIndex.Contents get(VersionSummary summary, SnapshotBytes bytes, ByteRange footer)
      throws IOException {
    Key key = new Key(summary.commitId(), summary.version());
    BatchIndex.Contents known = known(key);
    if (known != null) {
      return known;
    }
    if (footer.byteSize() < LARGE_FOOTER_BYTE_SIZE) {
      return keep(key, summary, BatchIndex.read(bytes, footer));
    }
    synchronized (largeReads) {
      BatchIndex.Contents meanwhile = known(key);
      return meanwhile != null ? meanwhile : keep(key, summary, BatchIndex.read(bytes, footer));
    }
  }

  private synchronized BatchIndex.@Nullable Contents known(Key key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.contents();
  }

  private synchronized BatchIndex.Contents keep(
      Key key, VersionSummary summary, BatchIndex.Contents contents) {
    long weight =
        BATCH_BYTE_SIZE * summary.batches() + SCHEMA_FACTOR * summary.schemaMetaDataLength();
    Entry before = entries.put(key, new Entry(contents, weight));
    byteSize += weight - (before == null ? 0 : before.byteSize());
    Iterator<Entry> eldest = entries.values().iterator();
    while (byteSize > maximumByteSize && entries.size() > 1) {
      byteSize -= eldest.next().byteSize();
      eldest.remove();
    }
    return contents;
  }

  private record Key(String commitId, long version) {}

  private record Entry(BatchIndex.Contents contents, long byteSize) {}
}
