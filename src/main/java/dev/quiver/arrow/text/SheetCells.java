package dev.quiver.arrow.text;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.io.IOException;

/// The cells of a worksheet, in the order of their rows: ECMA-376 part 1 §18.3.1.4.
///
/// The text of a cell is written to a buffer first, since its length has a limit, and characters
/// that XML lacks are escaped as `_x0008_`: §22.9.2.19.
final class SheetCells {

  /// The maximum length of a cell's text, in UTF-16 code units.
  static final Limit CHARACTERS = new Limit("a cell of Excel", 32_767);

  private static final String CHARACTERS_NOUN = "characters";

  /// A UTF-16 code unit has at most three bytes.
  private static final int TEXT_BYTE_SIZE_MAX = 3 * 32_767;

  private static final EscapeMask MARKED =
      word ->
          EscapeMask.below(word, ' ')
              | EscapeMask.equal(word, '&')
              | EscapeMask.equal(word, '<')
              | EscapeMask.equal(word, '>')
              | EscapeMask.equal(word, '_')
              // The first byte of U+FFFE and U+FFFF.
              | EscapeMask.equal(word, '\u00EF');

  private static final PreparedText TEXT = PreparedText.of("\" t=\"inlineStr\"><is><t>");
  private static final PreparedText TEXT_WITH_BLANKS =
      PreparedText.of("\" t=\"inlineStr\"><is><t xml:space=\"preserve\">");
  private static final PreparedText TEXT_END = PreparedText.of("</t></is></c>");
  private static final PreparedText STYLE = PreparedText.of("\" s=\"");

  private final TextOutput text =
      new TextOutput(
          _ -> {},
          new Limit(CHARACTERS.name(), TEXT_BYTE_SIZE_MAX),
          TEXT_BYTE_SIZE_MAX + (32 << 10));
  private final TextCells textCells = new TextCells();
  private long row;

  /// Starts a row.
  ///
  /// @param number from 1 on
  void row(long number) {
    this.row = number;
  }

  /// Returns the count of values that are text.
  TextCells textCells() {
    return textCells;
  }

  /// Writes the start of a cell in this row, up to the number of its row.
  ///
  /// @param columnStart the text up to the letters of the column
  void begin(PreparedText columnStart, TextOutput output) throws IOException {
    output.put(columnStart);
    output.putUnsigned(row);
  }

  /// Counts a value of this row that is text.
  void count(TextCells.Reason reason, String column) {
    textCells.count(reason, column, row);
  }

  /// Writes a value to the buffer, whose former content is lost.
  ///
  /// @throws TooLargeInputException if it is longer than a cell can be
  TextOutput buffered(SlotWriter value, long slot, String column) throws IOException {
    text.clear();
    try {
      value.write(slot, text);
    } catch (TooLargeInputException longer) {
      throw CHARACTERS.exceeded(CHARACTERS_NOUN, place(column));
    }
    return text;
  }

  /// Writes a cell with the text of the buffer.
  ///
  /// @param columnStart the text up to the letters of the column
  /// @throws TooLargeInputException if the text is longer than a cell can be
  void putText(PreparedText columnStart, String column, TextOutput output) throws IOException {
    putText(columnStart, column, PreparedText.NOTHING, output);
  }

  /// Writes a cell with the text of the buffer in a style.
  ///
  /// @param style the index of the style
  void putText(PreparedText columnStart, String column, PreparedText style, TextOutput output)
      throws IOException {
    byte[] bytes = text.buffer();
    int byteSize = (int) text.position();
    requireShort(bytes, byteSize, column);
    begin(columnStart, output);
    if (style.byteSize() > 0) {
      output.put(STYLE);
      output.put(style);
    }
    boolean hasBlanks = byteSize > 0 && (isBlank(bytes[0]) || isBlank(bytes[byteSize - 1]));
    output.put(hasBlanks ? TEXT_WITH_BLANKS : TEXT);
    putEscaped(bytes, byteSize, output);
    output.put(TEXT_END);
  }

  private static boolean isBlank(byte c) {
    return c >= 0 && c <= ' ';
  }

  private void requireShort(byte[] bytes, int byteSize, String column) {
    if (byteSize <= CHARACTERS.maximum()) {
      return;
    }
    int count = 0;
    for (int i = 0; i < byteSize; i++) {
      // A character of four bytes is a pair of surrogates.
      count += ((bytes[i] & 0xC0) == 0x80 ? 0 : 1) + ((bytes[i] & 0xF8) == 0xF0 ? 1 : 0);
    }
    CHARACTERS.check(count, CHARACTERS_NOUN, place(column));
  }

  private InputLocation place(String column) {
    return InputLocation.detail("cell " + column + row);
  }

  private static void putEscaped(byte[] bytes, int end, TextOutput output) throws IOException {
    int at = 0;
    while (at < end) {
      at = output.putPiece(bytes, at, end, MARKED);
      if (at < end && isMarked(bytes[at])) {
        at = putEscape(bytes, at, end, output);
      }
    }
  }

  private static boolean isMarked(byte c) {
    return c >= 0 && c < ' ' || c == '&' || c == '<' || c == '>' || c == '_' || c == (byte) 0xEF;
  }

  /// Writes the character at `at`.
  ///
  /// @return the index of the next character
  private static int putEscape(byte[] bytes, int at, int end, TextOutput output)
      throws IOException {
    switch (bytes[at]) {
      case '&' -> output.put("&amp;");
      case '<' -> output.put("&lt;");
      case '>' -> output.put("&gt;");
      case '\t', '\n' -> output.put((char) bytes[at]);
      // A parser turns the character itself into the end of a line.
      case '\r' -> output.put("&#13;");
      case '_' -> output.put(isEscape(bytes, at, end) ? "_x005F_" : "_");
      case (byte) 0xEF -> {
        if (bytes[at + 1] == (byte) 0xBF && (bytes[at + 2] & 0xFE) == 0xBE) {
          output.put(bytes[at + 2] == (byte) 0xBE ? "_xFFFE_" : "_xFFFF_");
        } else {
          output.put(bytes, at, 3);
        }
        return at + 3;
      }
      default -> output.put("_x%04X_".formatted(bytes[at]));
    }
    return at + 1;
  }

  /// Returns whether a text continues like an escaped character.
  private static boolean isEscape(byte[] bytes, int at, int end) {
    return at + 6 < end
        && bytes[at + 1] == 'x'
        && Character.digit(bytes[at + 2], 16) >= 0
        && Character.digit(bytes[at + 3], 16) >= 0
        && Character.digit(bytes[at + 4], 16) >= 0
        && Character.digit(bytes[at + 5], 16) >= 0
        && bytes[at + 6] == '_';
  }
}
