package dev.quiver.formats.csv;

import java.nio.charset.StandardCharsets;

/// The characters of TSV that a backslash and a letter stand for: `\t`, `\n`, `\r` and `\\`. A
/// backslash before any other character stands for itself.
final class TsvLetters {

  private static final byte NONE = 0;

  private TsvLetters() {}

  /// Replaces the letters in the first bytes of a text.
  ///
  /// @return the number of bytes that are left
  static int unescape(byte[] text, int byteSize) {
    int length = 0;
    for (int i = 0; i < byteSize; i++) {
      byte character = text[i] == '\\' && i + 1 < byteSize ? character(text[i + 1]) : NONE;
      i += character == NONE ? 0 : 1;
      text[length++] = character == NONE ? text[i] : character;
    }
    return length;
  }

  /// Returns a text with its letters replaced.
  static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new String(bytes, 0, unescape(bytes, bytes.length), StandardCharsets.UTF_8);
  }

  private static byte character(byte letter) {
    return switch (letter) {
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case '\\' -> '\\';
      default -> NONE;
    };
  }
}
