package dev.quiver.arrow.search;

import dev.quiver.arrow.memory.LittleEndian;

/// A text to find in others, after [CaseFolding] of both.
///
/// A literal of ASCII is found in the bytes of a text before they are folded. Only characters
/// beyond ASCII that fold to ASCII, such as `ß` and the sign for kelvin, need more.
final class FoldedLiteral {

  /// The number of bytes after the end of a text that may be read.
  static final int PADDING_BYTE_SIZE = Long.BYTES;

  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x80 * EACH_BYTE;

  /// The bit by which an upper-case letter of ASCII differs from the lower-case one.
  private static final byte CASE_BIT = 0x20;

  private final byte[] folded;

  /// The bits to set in each byte of a text before it is compared.
  private final byte[] caseBits;

  private final boolean isAscii;

  /// The first and the last byte, and their case bits, eight times each.
  private final long first;

  private final long firstBits;
  private final long last;
  private final long lastBits;

  /// @param literal at least one character
  FoldedLiteral(String literal) {
    this.folded = CaseFolding.fold(literal);
    this.caseBits = new byte[folded.length];
    boolean onlyAscii = true;
    for (int i = 0; i < folded.length; i++) {
      caseBits[i] = folded[i] >= 'a' && folded[i] <= 'z' ? CASE_BIT : 0;
      onlyAscii &= folded[i] >= 0;
    }
    this.isAscii = onlyAscii;
    int end = folded.length - 1;
    this.first = (folded[0] & 0xFF) * EACH_BYTE;
    this.firstBits = caseBits[0] * EACH_BYTE;
    this.last = (folded[end] & 0xFF) * EACH_BYTE;
    this.lastBits = caseBits[end] * EACH_BYTE;
  }

  boolean isAscii() {
    return isAscii;
  }

  /// Returns the number of bytes of the folded literal.
  int byteSize() {
    return folded.length;
  }

  /// Returns whether all characters are among those of the texts of UUIDs.
  boolean mayBeInUuid() {
    for (byte character : folded) {
      boolean isDigit = character >= '0' && character <= '9';
      if (!isDigit && !(character >= 'a' && character <= 'f') && character != '-') {
        return false;
      }
    }
    return true;
  }

  /// Returns where the literal first is in a text, whose ASCII letters may be in any case, or -1.
  ///
  /// @param text has [#PADDING_BYTE_SIZE] bytes after `end`
  int find(byte[] text, int begin, int end) {
    int toLast = folded.length - 1;
    int latest = end - folded.length;
    for (int i = begin; i <= latest; i += Long.BYTES) {
      long different =
          (LittleEndian.getInt64(text, i) | firstBits) ^ first
              | (LittleEndian.getInt64(text, i + toLast) | lastBits) ^ last;
      // A bit for each byte that is zero, and for some of its followers.
      long candidates = different - EACH_BYTE & ~different & HIGH_BITS;
      for (; candidates != 0; candidates &= candidates - 1) {
        int at = i + (Long.numberOfTrailingZeros(candidates) >>> 3);
        if (at <= latest && isAt(text, at)) {
          return at;
        }
      }
    }
    return -1;
  }

  private boolean isAt(byte[] text, int at) {
    for (int i = 0; i < folded.length; i++) {
      if ((text[at + i] | caseBits[i]) != folded[i]) {
        return false;
      }
    }
    return true;
  }
}
