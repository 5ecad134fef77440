package dev.quiver.render;

/// Text that is written again and again, and is ready to be copied by words of eight bytes.
final class Literal {

  /// What is longer is copied as a whole.
  static final int WORDS_BYTE_SIZE_MAX = 64;

  static final Literal NOTHING = of("");

  private final byte[] bytes;
  private final long[] words;

  private Literal(byte[] bytes) {
    this.bytes = bytes;
    this.words = new long[Math.min(bytes.length, WORDS_BYTE_SIZE_MAX) + 7 >>> 3];
    for (int i = 0; i < words.length << 3 && i < bytes.length; i++) {
      words[i >>> 3] |= Byte.toUnsignedLong(bytes[i]) << (i << 3);
    }
  }

  /// @param ascii which is ASCII
  static Literal of(String ascii) {
    return new Literal(TextOutput.ascii(ascii));
  }

  /// @param bytes which are not copied
  static Literal of(byte[] bytes) {
    return new Literal(bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  int byteSize() {
    return bytes.length;
  }

  /// The bytes in little-endian order, with zeros after them; not all when there are many.
  long[] words() {
    return words;
  }
}
