package dev.quiver.arrow.codec;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// The xxHash32 checksum, with seed 0, of any number of bytes in a segment.
///
/// lz4-java takes at most 2 GiB at once, and for its incremental form an array on the heap. See
/// <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>.
final class XxHash32 {

  private static final int PRIME_1 = 0x9E3779B1;
  private static final int PRIME_2 = 0x85EBCA77;
  private static final int PRIME_3 = 0xC2B2AE3D;
  private static final int PRIME_4 = 0x27D4EB2F;
  private static final int PRIME_5 = 0x165667B1;

  /// Four lanes take four bytes each.
  private static final int STRIPE_BYTE_SIZE = 16;

  private XxHash32() {}

  static int hash(MemorySegment segment, long byteOffset, long byteSize) {
    long position = byteOffset;
    long end = byteOffset + byteSize;
    int hash = PRIME_5;
    if (byteSize >= STRIPE_BYTE_SIZE) {
      int lane1 = PRIME_1 + PRIME_2;
      int lane2 = PRIME_2;
      int lane3 = 0;
      int lane4 = -PRIME_1;
      for (; position <= end - STRIPE_BYTE_SIZE; position += STRIPE_BYTE_SIZE) {
        lane1 = round(lane1, LittleEndian.getInt32(segment, position));
        lane2 = round(lane2, LittleEndian.getInt32(segment, position + 4));
        lane3 = round(lane3, LittleEndian.getInt32(segment, position + 8));
        lane4 = round(lane4, LittleEndian.getInt32(segment, position + 12));
      }
      hash =
          Integer.rotateLeft(lane1, 1)
              + Integer.rotateLeft(lane2, 7)
              + Integer.rotateLeft(lane3, 12)
              + Integer.rotateLeft(lane4, 18);
    }
    // The specification takes the length modulo 2³².
    return finish(hash + (int) byteSize, segment, position, end);
  }

  private static int round(int lane, int input) {
    return Integer.rotateLeft(lane + input * PRIME_2, 13) * PRIME_1;
  }

  private static int finish(int hash, MemorySegment segment, long start, long end) {
    long position = start;
    for (; position <= end - Integer.BYTES; position += Integer.BYTES) {
      hash += LittleEndian.getInt32(segment, position) * PRIME_3;
      hash = Integer.rotateLeft(hash, 17) * PRIME_4;
    }
    for (; position < end; position++) {
      hash += (LittleEndian.getInt8(segment, position) & 0xFF) * PRIME_5;
      hash = Integer.rotateLeft(hash, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 15) * PRIME_2;
    hash = (hash ^ hash >>> 13) * PRIME_3;
    return hash ^ hash >>> 16;
  }
}
