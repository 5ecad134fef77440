package dev.quiver.formats.json;

import dev.quiver.arrow.memory.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A key as most programs write it: between quotation marks, without escapes, and before a colon.
/// It is compared by whole words.
final class JsonKey {

  private static final int WORDS_BYTE_SIZE = 2 * Long.BYTES;

  /// The name as UTF-8.
  final byte[] name;

  private final byte[] quoted;
  private final long first;
  private final long firstMask;
  private final long second;
  private final long secondMask;

  /// Whether the name has no characters that have to be escaped.
  private final boolean isPlain;

  JsonKey(String name) {
    this.name = name.getBytes(StandardCharsets.UTF_8);
    this.isPlain = name.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\');
    this.quoted = ("\"" + name + "\":").getBytes(StandardCharsets.UTF_8);
    byte[] padded = Arrays.copyOf(quoted, Math.max(WORDS_BYTE_SIZE, quoted.length));
    this.first = LittleEndian.getInt64(padded, 0);
    this.second = LittleEndian.getInt64(padded, Long.BYTES);
    this.firstMask = mask(quoted.length);
    this.secondMask = mask(quoted.length - Long.BYTES);
  }

  /// Returns the bits of the first bytes of a word.
  private static long mask(int byteSize) {
    if (byteSize <= 0) {
      return 0;
    }
    return -1L >>> Long.SIZE - Byte.SIZE * Math.min(byteSize, Long.BYTES);
  }

  /// Returns whether the key and its colon are in a text, which has sixteen more bytes at least.
  boolean isAt(byte[] text, int offset) {
    return isPlain
        && ((LittleEndian.getInt64(text, offset) ^ first) & firstMask) == 0
        && ((LittleEndian.getInt64(text, offset + Long.BYTES) ^ second) & secondMask) == 0
        && (quoted.length <= WORDS_BYTE_SIZE || isRestAt(text, offset));
  }

  private boolean isRestAt(byte[] text, int offset) {
    return offset + quoted.length <= text.length
        && Arrays.equals(
            text,
            offset + WORDS_BYTE_SIZE,
            offset + quoted.length,
            quoted,
            WORDS_BYTE_SIZE,
            quoted.length);
  }

  /// Returns the bytes of the key with its quotation marks and colon.
  int byteSize() {
    return quoted.length;
  }
}
