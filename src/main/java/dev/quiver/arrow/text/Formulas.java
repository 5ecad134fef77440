package dev.quiver.arrow.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Detects texts that a spreadsheet would run as formulas, and writes an apostrophe before them.
///
/// Quotation marks do not help, since spreadsheets remove them first. See OWASP, *CSV Injection*.
final class Formulas {

  private static final String SIGNS = "=+-@＝＋－＠";

  /// The formulas among the cells of CSV.
  static final Formulas OF_CSV = new Formulas(SIGNS);

  /// The formulas among the cells of TSV, where a quotation mark is a part of the text.
  /// Spreadsheets remove it nevertheless, and what follows may be a formula.
  static final Formulas OF_TSV = new Formulas(SIGNS + "\"");

  /// The size of blanks after which any text counts as a formula.
  private static final int BLANK_BYTE_SIZE_MAX = 64;

  private static final int CHARACTER_BYTE_SIZE_MAX = 4;

  private final String signs;

  private Formulas(String signs) {
    this.signs = signs;
  }

  /// Writes an apostrophe if the text of a slot is a formula.
  ///
  /// @param values the text, at its first part
  void escape(SlotBytes values, TextOutput output) throws IOException {
    escape(values.bytes(), values.start(), values.end(), output);
  }

  /// Writes an apostrophe if a text is a formula.
  ///
  /// @param end the end of the text, or of its first part
  void escape(byte[] utf8, int start, int end, TextOutput output) throws IOException {
    if (start < end && isFormula(utf8, start, end)) {
      output.put('\'');
    }
  }

  /// Returns the writer of binary values that are not empty as base64, which may begin with a plus
  /// sign.
  static SlotWriter base64(SlotBytes values, SlotWriter exact) {
    return (slot, output) -> {
      values.seek(slot);
      if (TextOutput.base64(values.bytes()[values.start()]) == '+') {
        output.put('\'');
      }
      exact.write(slot, output);
    };
  }

  /// Returns whether a text begins with a tab or the end of a line, or with a sign that follows
  /// only blanks: spreadsheets may remove them.
  private boolean isFormula(byte[] utf8, int start, int end) {
    if (utf8[start] == '\t' || utf8[start] == '\n' || utf8[start] == '\r') {
      return true;
    }
    int at = start;
    while (at < end && at - start < BLANK_BYTE_SIZE_MAX) {
      int character = character(utf8, at, end);
      if (!isBlank(character)) {
        return signs.indexOf(character) >= 0;
      }
      at += byteSize(character);
    }
    return at < end;
  }

  private static int character(byte[] utf8, int at, int end) {
    int byteSize = Math.min(CHARACTER_BYTE_SIZE_MAX, end - at);
    return utf8[at] >= 0
        ? utf8[at]
        : new String(utf8, at, byteSize, StandardCharsets.UTF_8).codePointAt(0);
  }

  private static int byteSize(int character) {
    return Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
  }

  /// Returns whether a character is white space, a control character or invisible, such as a byte
  /// order mark.
  private static boolean isBlank(int character) {
    return Character.isWhitespace(character)
        || Character.isSpaceChar(character)
        || Character.isIdentifierIgnorable(character);
  }
}
