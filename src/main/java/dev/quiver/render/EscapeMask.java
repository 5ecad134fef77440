package dev.quiver.render;

/// A search for the bytes of a text that must be escaped, eight bytes at a time.
///
/// In the words that the methods return, the byte of a match has only its high bit set. Bytes above
/// the lowest match may have it set as well, since callers use only the lowest match.
interface EscapeMask {

  /// The high bit of each byte.
  long HIGH_BITS = 0x8080_8080_8080_8080L;

  /// A one in each byte.
  long ONES = 0x0101_0101_0101_0101L;

  /// Returns the matches.
  long in(long word);

  /// Returns the number of bytes before the first match.
  default int before(long word) {
    return Long.numberOfTrailingZeros(in(word)) >>> 3;
  }

  /// Matches the bytes that are `ascii`.
  static long equal(long word, char ascii) {
    return below(word ^ ascii * ONES, 1);
  }

  /// Matches the bytes below `end`, which is ASCII.
  static long below(long word, int end) {
    return word - end * ONES & ~word & HIGH_BITS;
  }
}
