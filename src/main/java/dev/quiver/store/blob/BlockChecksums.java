package dev.quiver.store.blob;

import dev.quiver.arrow.codec.Crc32c;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The CRC-32C of bytes in blocks, which neither overlap nor need to cover everything.
///
/// A block ends wherever an extent can start or end, so that the checksum of any extent follows
/// without a read. A reader of a few bytes checks the whole block, so blocks also end around
/// metadata and large buffers, and have at most 64 KiB, or 256 KiB far behind in a large blob.
public final class BlockChecksums {

  public static final BlockChecksums NONE = new Builder().build();

  /// The bytes that checksums without blocks take in the heap, with the key of their blob.
  private static final long OBJECT_HEAP_BYTE_SIZE = 200;

  /// The bytes that a block takes, in the heap as well.
  private static final int BLOCK_BYTE_SIZE = Long.BYTES + Integer.BYTES + Integer.BYTES;

  private final long[] byteOffsets;
  private final int[] byteSizes;
  private final int[] checksums;

  /// @param byteOffsets in ascending order
  private BlockChecksums(long[] byteOffsets, int[] byteSizes, int[] checksums) {
    this.byteOffsets = byteOffsets;
    this.byteSizes = byteSizes;
    this.checksums = checksums;
  }

  /// A range of bytes.
  public record Block(long byteOffset, int byteSize, int checksum) {

    public long end() {
      return byteOffset + byteSize;
    }
  }

  /// Returns the blocks of [#toByteArray].
  ///
  /// @throws IllegalArgumentException if the bytes are those of no blocks, or of blocks in another
  ///   order
  public static BlockChecksums of(byte[] bytes) {
    if (bytes.length % BLOCK_BYTE_SIZE != 0) {
      throw new IllegalArgumentException(
          "Expected blocks of %d bytes but found %d bytes"
              .formatted(BLOCK_BYTE_SIZE, bytes.length));
    }
    int count = bytes.length / BLOCK_BYTE_SIZE;
    BlockChecksums blocks = new BlockChecksums(new long[count], new int[count], new int[count]);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int i = 0; i < count; i++) {
      blocks.byteOffsets[i] = buffer.getLong();
      blocks.byteSizes[i] = buffer.getInt();
      blocks.checksums[i] = buffer.getInt();
      if (i > 0 && blocks.byteOffsets[i] < blocks.byteOffsets[i - 1]) {
        throw new IllegalArgumentException(
            "Expected ascending offsets but found %d after %d"
                .formatted(blocks.byteOffsets[i], blocks.byteOffsets[i - 1]));
      }
    }
    return blocks;
  }

  /// Returns all blocks: the offset, the size and the checksum of each, in big-endian order.
  public byte[] toByteArray() {
    byte[] bytes = new byte[Math.multiplyExact(count(), BLOCK_BYTE_SIZE)];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int i = 0; i < count(); i++) {
      buffer.putLong(byteOffsets[i]).putInt(byteSizes[i]).putInt(checksums[i]);
    }
    return bytes;
  }

  public int count() {
    return byteOffsets.length;
  }

  public Block block(int index) {
    return new Block(byteOffsets[index], byteSizes[index], checksums[index]);
  }

  /// Returns the index of the first block that ends after an offset, or [#count] if none does.
  public int firstEndingAfter(long byteOffset) {
    int low = 0;
    int high = byteOffsets.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (byteOffsets[middle] + byteSizes[middle] <= byteOffset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Returns the checksum of a range, or null if no blocks are exactly this range.
  public @Nullable Integer of(long byteOffset, long byteSize) {
    int checksum = 0;
    long position = byteOffset;
    long end = byteOffset + byteSize;
    for (int i = firstEndingAfter(byteOffset); i < byteOffsets.length && position < end; i++) {
      if (byteOffsets[i] != position) {
        return null;
      }
      checksum = Crc32c.joined(checksum, checksums[i], byteSizes[i]);
      position += byteSizes[i];
    }
    return position == end ? checksum : null;
  }

  /// Returns the blocks that lie in a range, with offsets from its start.
  public BlockChecksums within(long byteOffset, long byteSize) {
    Builder within = new Builder();
    for (int i = firstEndingAfter(byteOffset); i < byteOffsets.length; i++) {
      Block block = block(i);
      if (block.end() > byteOffset + byteSize) {
        break;
      }
      if (block.byteOffset >= byteOffset) {
        within.add(block.byteOffset - byteOffset, block.byteSize, block.checksum);
      }
    }
    return within.build();
  }

  /// Returns fewer checksums of the same bytes: each covers up to `blockCount` that follow each
  /// other without a gap.
  public BlockChecksums joined(int blockCount) {
    Builder joined = new Builder();
    int next = 0;
    while (next < count()) {
      int first = next;
      long byteSize = byteSizes[first];
      int checksum = checksums[first];
      next++;
      while (next < count()
          && next - first < blockCount
          && byteOffsets[next] == byteOffsets[first] + byteSize
          && byteSize + byteSizes[next] <= Integer.MAX_VALUE) {
        checksum = Crc32c.joined(checksum, checksums[next], byteSizes[next]);
        byteSize += byteSizes[next];
        next++;
      }
      joined.add(byteOffsets[first], (int) byteSize, checksum);
    }
    return joined.build();
  }

  /// Returns the approximate number of bytes that this takes in the heap.
  public long heapByteSize() {
    return OBJECT_HEAP_BYTE_SIZE + (long) BLOCK_BYTE_SIZE * count();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlockChecksums that
        && Arrays.equals(byteOffsets, that.byteOffsets)
        && Arrays.equals(byteSizes, that.byteSizes)
        && Arrays.equals(checksums, that.checksums);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(checksums);
  }

  /// A builder of checksums from bytes as they are written, or from checksums of blocks.
  public static final class Builder {

    private static final int BYTE_SIZE_MINIMUM = 4 << 10;
    private static final int BYTE_SIZE_SHARED = 16 << 10;
    private static final int BYTE_SIZE_USUAL = 64 << 10;
    private static final int BYTE_SIZE_MAXIMUM = 256 << 10;

    /// The maximum and the minimum are at least so small parts of what precedes a block. Thus the
    /// blocks of a blob of any size take little memory.
    private static final int MAXIMUM_SHIFT = 14;

    private static final int MINIMUM_SHIFT = 18;

    private static final int INITIAL_COUNT = 8;

    private final CRC32C checksum = new CRC32C();
    private long[] byteOffsets = new long[INITIAL_COUNT];
    private int[] byteSizes = new int[INITIAL_COUNT];
    private int[] checksums = new int[INITIAL_COUNT];
    private int count;
    private boolean sorted = true;
    private long start;
    private int byteSize;
    private int maximum = BYTE_SIZE_USUAL;

    /// The positions where blocks end next, in ascending order.
    private final Deque<Long> edges = new ArrayDeque<>();

    /// The checksum of what was added since [#mark], without the current block.
    private int markedChecksum;

    /// The part of the current block that precedes [#mark].
    private int precedingChecksum;

    private int precedingByteSize;

    public void add(long blockOffset, int blockByteSize, int blockChecksum) {
      if (count == byteOffsets.length) {
        byteOffsets = Arrays.copyOf(byteOffsets, 2 * count);
        byteSizes = Arrays.copyOf(byteSizes, 2 * count);
        checksums = Arrays.copyOf(checksums, 2 * count);
      }
      sorted &= count == 0 || byteOffsets[count - 1] <= blockOffset;
      byteOffsets[count] = blockOffset;
      byteSizes[count] = blockByteSize;
      checksums[count] = blockChecksum;
      count++;
    }

    /// Ends a block, so that an extent can start or end here.
    public void edge() {
      if (byteSize > 0) {
        int value = (int) checksum.getValue();
        add(start, byteSize, value);
        int partByteSize = byteSize - precedingByteSize;
        int part =
            precedingByteSize == 0 ? value : Crc32c.second(precedingChecksum, value, partByteSize);
        markedChecksum = Crc32c.joined(markedChecksum, part, partByteSize);
        precedingChecksum = 0;
        precedingByteSize = 0;
        checksum.reset();
        start += byteSize;
        byteSize = 0;
        long largest = Long.highestOneBit(start >>> MAXIMUM_SHIFT);
        maximum = (int) Math.clamp(largest, BYTE_SIZE_USUAL, BYTE_SIZE_MAXIMUM);
      }
    }

    /// Returns the size from which a message or a buffer has blocks of its own.
    public long minimum() {
      long smallest = Long.highestOneBit(start >>> MINIMUM_SHIFT);
      return Math.clamp(smallest, BYTE_SIZE_MINIMUM, BYTE_SIZE_USUAL);
    }

    /// Ends a block between messages, unless it is small.
    public void boundary() {
      if (byteSize >= BYTE_SIZE_SHARED) {
        edge();
      }
    }

    /// Ends a block after this number of bytes, even if others follow.
    public void edgeAfter(long distance) {
      edges.add(start + byteSize + distance);
    }

    /// Continues at another position.
    public void moveTo(long position) {
      edges.clear();
      if (position != start + byteSize) {
        edge();
        start = position;
      }
    }

    /// Begins a range for [#sinceMark].
    public void mark() {
      markedChecksum = 0;
      precedingByteSize = byteSize;
      precedingChecksum = byteSize == 0 ? 0 : (int) checksum.getValue();
    }

    /// Returns the checksum of the bytes since [#mark].
    public int sinceMark() {
      if (byteSize == precedingByteSize) {
        return markedChecksum;
      }
      int partByteSize = byteSize - precedingByteSize;
      int part = Crc32c.second(precedingChecksum, (int) checksum.getValue(), partByteSize);
      return Crc32c.joined(markedChecksum, part, partByteSize);
    }

    public void update(MemorySegment bytes) {
      for (long done = 0; done < bytes.byteSize(); ) {
        long position = start + byteSize;
        while (!edges.isEmpty() && edges.getFirst() <= position) {
          edges.removeFirst();
          edge();
        }
        long room = edges.isEmpty() ? maximum : edges.getFirst() - position;
        long added = Math.min(Math.min(maximum - byteSize, room), bytes.byteSize() - done);
        Crc32c.update(checksum, bytes.asSlice(done, added));
        byteSize += (int) added;
        done += added;
        if (byteSize == maximum) {
          edge();
        }
      }
    }

    public BlockChecksums build() {
      edge();
      long[] offsets = Arrays.copyOf(byteOffsets, count);
      int[] sizes = Arrays.copyOf(byteSizes, count);
      int[] sums = Arrays.copyOf(checksums, count);
      if (!sorted) {
        // The messages of a file may be read in another order than theirs.
        sort(offsets, sizes, sums);
      }
      return new BlockChecksums(offsets, sizes, sums);
    }

    private static void sort(long[] offsets, int[] sizes, int[] sums) {
      Block[] blocks = new Block[offsets.length];
      Arrays.setAll(blocks, i -> new Block(offsets[i], sizes[i], sums[i]));
      Arrays.sort(blocks, (a, b) -> Long.compare(a.byteOffset, b.byteOffset));
      for (int i = 0; i < blocks.length; i++) {
        offsets[i] = blocks[i].byteOffset;
        sizes[i] = blocks[i].byteSize;
        sums[i] = blocks[i].checksum;
      }
    }
  }
}
