package dev.quiver.arrow.text;

/// Text that is written repeatedly, prepared for copies by words of eight bytes.
final class PreparedText {

  /// The longest text that is copied by words.
  static final int WORDS_BYTE_SIZE_MAX = 64;

  static final PreparedText NOTHING = of("");

  private final byte[] bytes;
  private final long[] words;

  /// The first word, since most texts have only one.
  private final long first;

  private PreparedText(byte[] bytes) {
    this.bytes = bytes;
    this.words = new long[Math.min(bytes.length, WORDS_BYTE_SIZE_MAX) + 7 >>> 3];
    for (int i = 0; i < words.length << 3 && i < bytes.length; i++) {
      words[i >>> 3] |= Byte.toUnsignedLong(bytes[i]) << (i << 3);
    }
    this.first = words.length == 0 ? 0 : words[0];
  }

  /// @param ascii ASCII text
  static PreparedText of(String ascii) {
    return new PreparedText(TextOutput.ascii(ascii));
  }

  /// @param bytes the bytes, which are not copied
  static PreparedText of(byte[] bytes) {
    return new PreparedText(bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  int byteSize() {
    return bytes.length;
  }

  /// Returns the first eight bytes as [#words] has them, or zeros.
  long first() {
    return first;
  }

  /// Returns the bytes as little-endian words, padded with zeros. Long texts have only their first
  /// bytes here.
  long[] words() {
    return words;
  }
}
