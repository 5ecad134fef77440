package dev.quiver.arrow.text;

import dev.quiver.arrow.memory.ByteWords;

/// A search for the bytes of a text that must be escaped, eight bytes at a time.
///
/// In the words that the methods return, the byte of a match has only its high bit set. Bytes above
/// the lowest match may have it set as well, since callers use only the lowest match.
interface EscapeMask {

  /// Returns the matches.
  long in(long word);

  /// Returns the number of bytes before the first match.
  default int before(long word) {
    return Long.numberOfTrailingZeros(in(word)) >>> 3;
  }

  /// Matches the bytes that are `ascii`.
  static long equal(long word, char ascii) {
    return below(word ^ ByteWords.repeated(ascii), 1);
  }

  /// Matches the bytes below `end`, which is ASCII.
  static long below(long word, int end) {
    return word - ByteWords.repeated(end) & ~word & ByteWords.HIGHEST_BITS;
  }
}
