package dev.quiver.formats.excel;

import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The texts of a workbook that cells share (ECMA-376, part 1, §18.4). All are in memory.
///
/// @param texts by their index
record SheetTexts(List<String> texts) {

  static final SheetTexts NONE = new SheetTexts(List.of());

  /// The characters of a text. Excel has at most 32,767.
  static final int LENGTH_MAXIMUM = 1 << 20;

  private static final char REPLACEMENT = '\uFFFD';

  /// The length of an escaped character, such as `_x000D_`.
  private static final int ESCAPE_LENGTH = 7;

  /// Reads the part of the shared texts.
  ///
  /// @throws ForeignDataException if a text is too long
  static SheetTexts read(XmlPart xml) throws IOException {
    List<String> texts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    while (xml.nextChild("si")) {
      text.setLength(0);
      if (!append(xml, text)) {
        throw ForeignDataException.of(
            "Expected texts of at most %,d characters but found a longer one"
                .formatted(LENGTH_MAXIMUM));
      }
      texts.add(unescaped(text));
    }
    xml.finish();
    return new SheetTexts(texts);
  }

  /// Adds the runs of a rich text, or its only text, and moves to the end of the element. How it is
  /// pronounced (`rPh`) is left out.
  ///
  /// @return whether the text is not too long
  static boolean append(XmlPart xml, StringBuilder text) {
    boolean isComplete = true;
    while (xml.nextChild()) {
      switch (xml.element()) {
        case "t" -> isComplete &= xml.appendText(text, LENGTH_MAXIMUM);
        case "r" -> {
          while (xml.nextChild("t")) {
            isComplete &= xml.appendText(text, LENGTH_MAXIMUM);
          }
        }
        default -> xml.skip();
      }
    }
    return isComplete;
  }

  /// Returns a text with the characters that XML lacks, which are escaped as their number of UTF-16
  /// (ECMA-376, part 1, §22.9.2.19). Half of a character is one of U+FFFD.
  static String unescaped(CharSequence escaped) {
    String text = escaped.toString();
    int next = text.indexOf("_x");
    if (next < 0) {
      return text;
    }
    StringBuilder unescaped = new StringBuilder();
    int start = 0;
    for (; next >= 0; next = text.indexOf("_x", next)) {
      int code = escapedCode(text, next);
      if (code < 0) {
        next++;
      } else {
        unescaped.append(text, start, next).append((char) code);
        next += ESCAPE_LENGTH;
        start = next;
      }
    }
    unescaped.append(text, start, text.length());
    return unescaped
        .codePoints()
        .map(code ->
            code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE ? REPLACEMENT : code)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /// Returns the number of the escaped character at a place, or -1 if it is another text.
  private static int escapedCode(String text, int place) {
    if (place + ESCAPE_LENGTH > text.length() || text.charAt(place + ESCAPE_LENGTH - 1) != '_') {
      return -1;
    }
    int code = 0;
    for (int i = place + 2; i < place + ESCAPE_LENGTH - 1; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 'f') {
        return -1;
      }
      code = code << 4 | digit;
    }
    return code;
  }
}
