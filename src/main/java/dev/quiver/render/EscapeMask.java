package dev.quiver.render;

/// Which bytes of a text are not written as they are, found in eight of them at a time.
///
/// In the words that the methods here give, the byte of a match has its high bit set and no other
/// bit; so may bytes above the lowest match, which no caller asks for.
interface EscapeMask {

  /// The high bit of each byte.
  long HIGH_BITS = 0x8080_8080_8080_8080L;

  /// A one in each byte.
  long ONES = 0x0101_0101_0101_0101L;

  /// The matches.
  long in(long word);

  /// How many bytes come before the first match.
  default int before(long word) {
    return Long.numberOfTrailingZeros(in(word)) >>> 3;
  }

  /// Bytes that are `ascii`.
  static long equal(long word, char ascii) {
    return below(word ^ ascii * ONES, 1);
  }

  /// Bytes below `end`, which is ASCII too.
  static long below(long word, int end) {
    return word - end * ONES & ~word & HIGH_BITS;
  }
}
