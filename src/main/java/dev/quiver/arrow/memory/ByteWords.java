package dev.quiver.arrow.memory;

/// Words of eight bytes that are processed together.
public final class ByteWords {

  /// The highest bit of each byte.
  public static final long HIGHEST_BITS = 0x8080808080808080L;

  private static final long LOWEST_BITS = 0x0101010101010101L;

  private ByteWords() {}

  /// Returns a word of eight copies of a byte.
  ///
  /// @param value from 0 to 255
  public static long repeated(int value) {
    return value * LOWEST_BITS;
  }

  /// Returns a word with the highest bit of each byte that is zero.
  public static long zeros(long word) {
    return ~((word & ~HIGHEST_BITS) + ~HIGHEST_BITS | word | ~HIGHEST_BITS);
  }

  /// Returns a word with the highest bit of each unsigned byte that is less than a limit.
  ///
  /// @param limit from 1 to 128
  public static long below(long word, int limit) {
    return ~((word & ~HIGHEST_BITS) + repeated(0x80 - limit) | word) & HIGHEST_BITS;
  }
}
