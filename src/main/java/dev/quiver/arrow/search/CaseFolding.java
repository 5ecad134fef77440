package dev.quiver.arrow.search;

import dev.quiver.arrow.memory.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Full case folding (The Unicode Standard, 3.13, `toCasefold`) of UTF-8, one character after the
/// other: `STRASSE`, `Straße` and `STRAẞE` are `strasse`.
///
/// No language has rules of its own: `İ` becomes `i` and U+0307, and `ı` stays as it is. Nothing is
/// normalized, so a letter with an accent differs from a letter and a combining accent.
final class CaseFolding {

  /// The maximum number of bytes to which one byte folds.
  static final int EXPANSION_MAXIMUM = 3;

  /// The number of bytes after the end of the input that may be read, and after the end of the
  /// output that may be written.
  static final int PADDING_BYTE_SIZE = Long.BYTES;

  private static final int DOTLESS_I = 0x131;

  /// The first code point above all letters that have a case.
  private static final int CODE_POINT_END = 0x20000;

  private static final int PAGE_LENGTH = 64;
  private static final int CONTINUATION_BITS = 0x3F;
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x80 * EACH_BYTE;

  /// The UTF-8 of the folded characters, by the code point without its last six bits, then by
  /// these. Null for characters that do not change.
  private static final byte[] @Nullable [][] PAGES = pages(/* toAscii= */ false);

  /// The characters beyond ASCII that fold to a text with a character of ASCII.
  private static final byte[] @Nullable [][] ASCII_PAGES = pages(/* toAscii= */ true);

  private CaseFolding() {}

  private static byte[] @Nullable [][] pages(boolean toAscii) {
    byte[][][] pages = new byte[CODE_POINT_END / PAGE_LENGTH][][];
    for (int codePoint = 0x80; codePoint < CODE_POINT_END; codePoint++) {
      boolean hasCase =
          Character.isLowerCase(codePoint)
              || Character.isUpperCase(codePoint)
              || Character.isTitleCase(codePoint);
      if (!hasCase || codePoint == DOTLESS_I) {
        continue;
      }
      String character = Character.toString(codePoint);
      String folded = folded(character);
      if (!folded.equals(character)
          && (!toAscii || folded.chars().anyMatch(folding -> folding < 0x80))) {
        int page = codePoint / PAGE_LENGTH;
        if (pages[page] == null) {
          pages[page] = new byte[PAGE_LENGTH][];
        }
        pages[page][codePoint % PAGE_LENGTH] = folded.getBytes(StandardCharsets.UTF_8);
      }
    }
    return pages;
  }

  /// Returns the lower case of the upper case of a character. The first step is for `ẞ`, whose
  /// upper case is itself.
  private static String folded(String character) {
    return character.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  /// Returns a folded text.
  static byte[] fold(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] padded = Arrays.copyOf(bytes, bytes.length + PADDING_BYTE_SIZE);
    byte[] folded = new byte[EXPANSION_MAXIMUM * bytes.length + PADDING_BYTE_SIZE];
    return Arrays.copyOf(folded, fold(padded, 0, bytes.length, folded, 0));
  }

  /// Folds whole characters of valid UTF-8. Of other bytes, the result is undefined.
  ///
  /// @param from has [#PADDING_BYTE_SIZE] bytes after `end`
  /// @param to has room for [#EXPANSION_MAXIMUM] bytes for each byte, and [#PADDING_BYTE_SIZE]
  /// @param start where the result starts in `to`
  /// @return where the result ends
  static int fold(byte[] from, int begin, int end, byte[] to, int start) {
    int at = start;
    int i = begin;
    while (i < end) {
      long word = LittleEndian.getInt64(from, i);
      int count = asciiCount(word);
      if (count > 0) {
        // The bytes after these are overwritten.
        LittleEndian.setInt64(to, at, lowerCase(word));
        count = Math.min(count, end - i);
        i += count;
        at += count;
        continue;
      }
      int byteSize = Math.min(byteSize(from[i]), end - i);
      byte[] folded = folding(PAGES, from, i, byteSize);
      if (folded != null) {
        System.arraycopy(folded, 0, to, at, folded.length);
        at += folded.length;
      } else {
        LittleEndian.setInt32(to, at, LittleEndian.getInt32(from, i));
        at += byteSize;
      }
      i += byteSize;
    }
    return at;
  }

  /// Returns the number of characters of ASCII before another one among eight bytes.
  private static int asciiCount(long word) {
    return Long.numberOfTrailingZeros(word & HIGH_BITS) >>> 3;
  }

  /// Returns characters of ASCII in lower case. Bytes after another character are undefined.
  private static long lowerCase(long word) {
    long fromA = word + (0x80 - 'A') * EACH_BYTE;
    long afterZ = word + (0x80 - 'Z' - 1) * EACH_BYTE;
    return word | (fromA & ~afterZ & HIGH_BITS) >>> 2;
  }

  /// Returns the number of bytes of a character by its first one, or 1 if it cannot be the first.
  static int byteSize(byte first) {
    int ones = Integer.numberOfLeadingZeros(~(first << 24));
    return ones >= 2 && ones <= 4 ? ones : 1;
  }

  private static byte @Nullable [] folding(
      byte[] @Nullable [][] pages, byte[] text, int start, int byteSize) {
    int lead = text[start] & 0x7F >> byteSize;
    int page =
        switch (byteSize) {
          case 1 -> pages.length;
          case 2 -> lead;
          case 3 -> lead << 6 | text[start + 1] & CONTINUATION_BITS;
          default ->
              lead << 12
                  | (text[start + 1] & CONTINUATION_BITS) << 6
                  | text[start + 2] & CONTINUATION_BITS;
        };
    byte[][] folded = page < pages.length ? pages[page] : null;
    return folded == null ? null : folded[text[start + byteSize - 1] & CONTINUATION_BITS];
  }

  /// Returns whether bytes are characters of ASCII.
  ///
  /// @param text has [#PADDING_BYTE_SIZE] bytes after `end`
  static boolean isAscii(byte[] text, int begin, int end) {
    int i = begin;
    long high = 0;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      high |= LittleEndian.getInt64(text, i);
    }
    for (; i < end; i++) {
      high |= text[i];
    }
    return (high & HIGH_BITS) == 0;
  }

  /// Returns whether a character beyond ASCII folds to a text with a character of ASCII.
  ///
  /// @param text has [#PADDING_BYTE_SIZE] bytes after `end`
  static boolean foldsToAscii(byte[] text, int begin, int end) {
    int i = begin;
    while (i < end) {
      int count = asciiCount(LittleEndian.getInt64(text, i));
      if (count > 0) {
        i += count;
        continue;
      }
      int byteSize = Math.min(byteSize(text[i]), end - i);
      if (folding(ASCII_PAGES, text, i, byteSize) != null) {
        return true;
      }
      i += byteSize;
    }
    return false;
  }
}
