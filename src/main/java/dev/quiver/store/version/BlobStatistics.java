package dev.quiver.store.version;

import dev.quiver.arrow.statistics.BatchStatistics;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Statistics of the record batches of a blob.
///
/// ```
/// Statistics --> Batch*
/// Batch      --> ByteOffset:int64, where its message starts in the blob
///                ByteSize:int32 byte*, see BatchStatistics
/// ```
///
/// A batch without an entry has no statistics. Immutable, and shared by threads.
public final class BlobStatistics {

  public static final BlobStatistics EMPTY = new BlobStatistics(new TreeMap<>(), 0);

  /// The maximum size of the statistics of a blob. Later batches have none.
  public static final int BYTE_SIZE_MAXIMUM = 16 << 20;

  private static final int ENTRY_BYTE_SIZE = 8 + 4;

  /// The memory of an entry besides its bytes.
  private static final int HELD_BYTE_SIZE = 100;

  /// The bytes of each batch, by its offset.
  private final TreeMap<Long, byte[]> batches;

  private final int byteSize;

  private BlobStatistics(Map<Long, byte[]> batches, int byteSize) {
    this.batches = new TreeMap<>(batches);
    this.byteSize = byteSize;
  }

  /// Returns the statistics of the batch whose message starts at an offset, or null if unknown.
  public @Nullable BatchStatistics of(long byteOffset) {
    byte[] batch = batches.get(byteOffset);
    return batch == null ? null : BatchStatistics.read(batch);
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /// Returns the approximate memory that this takes.
  public long heldByteSize() {
    return byteSize + (long) HELD_BYTE_SIZE * batches.size();
  }

  MemorySegment write() {
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[byteSize]));
    batches.forEach((byteOffset, batch) -> {
      cursor.putInt64(byteOffset);
      cursor.putInt32(batch.length);
      cursor.putBytes(batch);
    });
    return cursor.segment();
  }

  static BlobStatistics read(MemorySegment bytes) {
    Cursor cursor = new Cursor(bytes);
    Map<Long, byte[]> batches = new TreeMap<>();
    while (cursor.remaining() > 0) {
      batches.put(cursor.int64(), cursor.bytes(cursor.int32()));
    }
    return new BlobStatistics(batches, Math.toIntExact(bytes.byteSize()));
  }

  /// A builder of statistics, batch by batch.
  public static final class Builder {

    private final Map<Long, byte[]> batches = new TreeMap<>();
    private int byteSize;

    /// Adds a batch, unless that makes the statistics too large.
    ///
    /// @param byteOffset where its message starts in the blob
    public void add(long byteOffset, BatchStatistics batch) {
      byte[] bytes = batch.write();
      if (byteSize <= BYTE_SIZE_MAXIMUM - ENTRY_BYTE_SIZE - bytes.length) {
        batches.put(byteOffset, bytes);
        byteSize += ENTRY_BYTE_SIZE + bytes.length;
      }
    }

    /// Returns the approximate memory that the batches take.
    public long heldByteSize() {
      return byteSize + (long) HELD_BYTE_SIZE * batches.size();
    }

    public BlobStatistics build() {
      return batches.isEmpty() ? EMPTY : new BlobStatistics(batches, byteSize);
    }
  }
}
