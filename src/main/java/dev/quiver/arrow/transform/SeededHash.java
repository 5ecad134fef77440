package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;

/// SipHash-2-4 of a sequence of 64-bit words under a random key, so that no client can send
/// colliding values.
final class SeededHash {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final long key0 = RANDOM.nextLong();
  private final long key1 = RANDOM.nextLong();
  private long v0;
  private long v1;
  private long v2;
  private long v3;

  /// Starts the next sequence.
  void begin() {
    v0 = key0 ^ 0x736f6d6570736575L;
    v1 = key1 ^ 0x646f72616e646f6dL;
    v2 = key0 ^ 0x6c7967656e657261L;
    v3 = key1 ^ 0x7465646279746573L;
  }

  void add(long word) {
    v3 ^= word;
    mix();
    mix();
    v0 ^= word;
  }

  /// Adds the number of bytes, then the bytes, the last word padded with zeros.
  void add(MemorySegment bytes) {
    long byteSize = bytes.byteSize();
    add(byteSize);
    long position = 0;
    for (; position <= byteSize - Long.BYTES; position += Long.BYTES) {
      add(LittleEndian.getInt64(bytes, position));
    }
    if (position < byteSize) {
      long word = 0;
      for (int shift = 0; position < byteSize; position++, shift += Byte.SIZE) {
        word |= (LittleEndian.getInt8(bytes, position) & 0xFFL) << shift;
      }
      add(word);
    }
  }

  /// Returns the hash of the words added since [#begin].
  long end() {
    v2 ^= 0xFF;
    mix();
    mix();
    mix();
    mix();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void mix() {
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
  }
}
