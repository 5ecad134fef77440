package dev.quiver.dataset.manifest;

import dev.quiver.memory.Crc32c;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The CRC-32C of a blob in blocks of at most 1 MiB. A block ends wherever an extent can start or
/// end, so that the checksum of any extent follows without a read.
///
/// ```
/// BlockChecksums --> Block*
/// Block          --> ByteOffset:int64 ByteSize:int32 CRC-32C:int32
/// ```
///
/// @param blocks in the order of their offsets
public record BlobChecksums(List<Block> blocks) {

  private static final int BLOCK_BYTE_SIZE = 8 + 4 + 4;
  private static final int MAXIMUM_BLOCK_BYTE_SIZE = 1 << 20;

  public BlobChecksums {
    blocks = List.copyOf(blocks);
  }

  /// A range of the blob.
  public record Block(long byteOffset, int byteSize, int checksum) {

    private long end() {
      return byteOffset + byteSize;
    }
  }

  /// Returns the checksum of a range, or null if no blocks are exactly this range.
  public @Nullable Integer of(long byteOffset, long byteSize) {
    int low = 0;
    int high = blocks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (blocks.get(middle).byteOffset < byteOffset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int checksum = 0;
    long position = byteOffset;
    for (int i = low; i < blocks.size() && position < byteOffset + byteSize; i++) {
      Block block = blocks.get(i);
      if (block.byteOffset != position) {
        return null;
      }
      checksum = Crc32c.joined(checksum, block.checksum, block.byteSize);
      position = block.end();
    }
    return position == byteOffset + byteSize ? checksum : null;
  }

  MemorySegment write() {
    int byteSize = Math.multiplyExact(blocks.size(), BLOCK_BYTE_SIZE);
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[byteSize]));
    for (Block block : blocks) {
      cursor.putInt64(block.byteOffset);
      cursor.putInt32(block.byteSize);
      cursor.putInt32(block.checksum);
    }
    return cursor.segment();
  }

  static BlobChecksums read(MemorySegment bytes) {
    Cursor cursor = new Cursor(bytes);
    List<Block> blocks = new ArrayList<>();
    while (cursor.remaining() > 0) {
      blocks.add(new Block(cursor.int64(), cursor.int32(), cursor.int32()));
    }
    return new BlobChecksums(blocks);
  }

  /// A builder of checksums from the bytes of a blob, as they are written.
  public static final class Builder {

    private final List<Block> blocks = new ArrayList<>();
    private final CRC32C checksum = new CRC32C();
    private long start;
    private int byteSize;

    /// Ends a block, so that an extent can start or end here.
    public void edge() {
      if (byteSize > 0) {
        blocks.add(new Block(start, byteSize, (int) checksum.getValue()));
        checksum.reset();
        start += byteSize;
        byteSize = 0;
      }
    }

    /// Continues at another position of the blob.
    public void moveTo(long position) {
      if (position != start + byteSize) {
        edge();
        start = position;
      }
    }

    public void update(MemorySegment bytes) {
      for (long done = 0; done < bytes.byteSize(); ) {
        long count = Math.min(MAXIMUM_BLOCK_BYTE_SIZE - byteSize, bytes.byteSize() - done);
        Crc32c.update(checksum, bytes.asSlice(done, count));
        byteSize += (int) count;
        done += count;
        if (byteSize == MAXIMUM_BLOCK_BYTE_SIZE) {
          edge();
        }
      }
    }

    public BlobChecksums build() {
      edge();
      // The messages of a file may be read in another order than theirs.
      blocks.sort((a, b) -> Long.compare(a.byteOffset, b.byteOffset));
      return new BlobChecksums(blocks);
    }
  }
}
