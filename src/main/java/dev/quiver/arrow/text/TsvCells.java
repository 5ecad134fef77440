package dev.quiver.arrow.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Text as cells of tab-separated values, without quotation marks.
///
/// A tab, a newline, a carriage return and a backslash are `\t`, `\n`, `\r` and `\\`. Every line
/// and every tab of the file therefore ends a row or a cell, whichever line ends its reader knows.
/// No text is `\N`, which is null.
final class TsvCells {

  private static final EscapeMask ESCAPED =
      word ->
          EscapeMask.equal(word, '\t')
              | EscapeMask.equal(word, '\n')
              | EscapeMask.equal(word, '\r')
              | EscapeMask.equal(word, '\\');

  private TsvCells() {}

  /// Returns a writer of texts.
  static SlotWriter escaped(SlotBytes values) {
    return (slot, output) -> {
      values.seek(slot);
      do {
        putEscaped(values.bytes(), values.start(), values.end(), output);
      } while (values.next());
      output.put(values.ellipsis());
    };
  }

  /// Returns a writer of texts that a spreadsheet does not run.
  static SlotWriter safe(SlotBytes values) {
    SlotWriter escaped = escaped(values);
    return (slot, output) -> {
      values.seek(slot);
      Formulas.OF_TSV.escape(values, output);
      escaped.write(slot, output);
    };
  }

  /// Writes the name of a column.
  static void name(String name, TextOutput output) throws IOException {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    putEscaped(Arrays.copyOf(utf8, utf8.length + Long.BYTES), 0, utf8.length, output);
  }

  /// Writes the name of a column so that a spreadsheet does not run it.
  static void safeName(String name, TextOutput output) throws IOException {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    Formulas.OF_TSV.escape(utf8, 0, utf8.length, output);
    name(name, output);
  }

  private static void putEscaped(byte[] bytes, int start, int end, TextOutput output)
      throws IOException {
    int at = start;
    while (at < end) {
      at = output.putPiece(bytes, at, end, ESCAPED);
      char letter = at < end ? letter(bytes[at]) : 0;
      if (letter != 0) {
        output.put('\\');
        output.put(letter);
        at++;
      }
    }
  }

  /// Returns the letter after the backslash, or 0 if the byte is not escaped.
  private static char letter(byte c) {
    return switch (c) {
      case '\t' -> 't';
      case '\n' -> 'n';
      case '\r' -> 'r';
      case '\\' -> '\\';
      default -> 0;
    };
  }
}
