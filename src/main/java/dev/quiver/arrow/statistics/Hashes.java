package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.LittleEndian;
import java.security.SecureRandom;

/// Hashes of 64 bits by multiplication to 128 bits, whose halves are combined.
///
/// Estimates need hashes that are the same in every process. Tables need hashes that no client can
/// predict, so that none can send colliding values.
///
/// @param seed the state before the first word
/// @param factor an odd number
record Hashes(long seed, long factor) {

  /// Hashes that never change.
  static final Hashes STABLE = new Hashes(0x9E3779B97F4A7C15L, 0xD6E8FEB86659FD93L);

  /// Hashes of this process alone.
  static final Hashes SECRET = secret();

  private static final long FINAL_FACTOR = 0xA0761D6478BD642FL;

  private static Hashes secret() {
    SecureRandom random = new SecureRandom();
    return new Hashes(random.nextLong(), random.nextLong() | 1);
  }

  long of(long key) {
    return end(add(seed, key));
  }

  /// @param bytes an array with [ValueSink#PADDING_BYTE_SIZE] bytes after the value
  long of(byte[] bytes, int start, int length) {
    return end(add(add(seed, length), bytes, start, length));
  }

  /// Returns the state after a part of a value, which has a multiple of eight bytes unless it is
  /// the last.
  long add(long state, byte[] bytes, int start, int length) {
    long added = state;
    for (int i = 0; i < length; i += Long.BYTES) {
      added =
          add(
              added,
              length - i >= Long.BYTES
                  ? LittleEndian.getInt64(bytes, start + i)
                  : Long.reverseBytes(BlockMemory.bigEndianWord(bytes, start + i, length - i)));
    }
    return added;
  }

  /// Returns the state after a word.
  long add(long state, long word) {
    return product(state ^ word, factor);
  }

  static long end(long state) {
    return product(state, FINAL_FACTOR);
  }

  private static long product(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
