package dev.quiver.arrow.text;

import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Text as cells: RFC 4180 §2.
final class CsvCells {

  /// Matches the bytes that end cells or rows, and quotation marks.
  private static final EscapeMask MARKED =
      word ->
          EscapeMask.equal(word, ',')
              | EscapeMask.equal(word, '"')
              | EscapeMask.equal(word, '\n')
              | EscapeMask.equal(word, '\r');

  /// Matches the byte that is doubled between quotation marks.
  private static final EscapeMask DOUBLED = word -> EscapeMask.equal(word, '"');

  private static final PreparedText DOUBLE = PreparedText.of("\"\"");

  private CsvCells() {}

  /// Returns a writer of text without quotation marks.
  static SlotWriter plain(SlotBytes values) {
    return (slot, output) -> {
      values.seek(slot);
      do {
        output.put(values.bytes(), values.start(), values.end() - values.start());
      } while (values.next());
      output.put(values.ellipsis());
    };
  }

  /// Returns a writer of text with quotation marks where needed: if the text is empty, contains a
  /// byte that ends cells or rows, or starts or ends with bytes that readers may strip.
  static SlotWriter quoted(SlotBytes values) {
    return (slot, output) -> {
      values.seek(slot);
      if (isShort(values)) {
        cell(values.bytes(), values.start(), values.end(), output);
      } else {
        longCell(values, slot, output);
      }
    };
  }

  /// Returns a writer of texts that a spreadsheet does not run. All are between quotation marks, so
  /// that a semicolon or a tab divides none, where a spreadsheet takes these for separators as
  /// well.
  static SlotWriter safe(SlotBytes values) {
    return (slot, output) -> {
      values.seek(slot);
      output.put('"');
      Formulas.OF_CSV.escape(values, output);
      putDoubled(values, output);
      output.put('"');
    };
  }

  private static boolean isShort(SlotBytes values) {
    return values.isLast()
        && !values.isCut()
        && values.end() - values.start() <= TextOutput.PIECE_BYTE_SIZE;
  }

  /// Writes a cell of at most [TextOutput#PIECE_BYTE_SIZE] bytes. Few need quotation marks, so it
  /// is first written without them.
  private static void cell(byte[] bytes, int start, int end, TextOutput output) throws IOException {
    int before = output.mark();
    if (start == end
        || isBlank(bytes[start])
        || isBlank(bytes[end - 1])
        || output.putPiece(bytes, start, end, MARKED) != end) {
      output.takeBack(before);
      output.put('"');
      putDoubled(bytes, start, end, output);
      output.put('"');
    }
  }

  private static void longCell(SlotBytes values, long slot, TextOutput output) throws IOException {
    boolean marked = needsMarks(values);
    if (marked) {
      output.put('"');
    }
    values.seek(slot);
    putDoubled(values, output);
    if (marked) {
      output.put('"');
    }
  }

  /// Writes the name of a column.
  static void name(String name, TextOutput output) throws IOException {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Arrays.copyOf(utf8, utf8.length + Long.BYTES);
    boolean marked =
        utf8.length == 0
            || isBlank(utf8[0])
            || isBlank(utf8[utf8.length - 1])
            || needsMarks(bytes, 0, utf8.length);
    if (marked) {
      output.put('"');
    }
    putDoubled(bytes, 0, utf8.length, output);
    if (marked) {
      output.put('"');
    }
  }

  /// Writes the name of a column so that a spreadsheet does not run it.
  static void safeName(String name, TextOutput output) throws IOException {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    output.put('"');
    Formulas.OF_CSV.escape(utf8, 0, utf8.length, output);
    putDoubled(Arrays.copyOf(utf8, utf8.length + Long.BYTES), 0, utf8.length, output);
    output.put('"');
  }

  private static boolean needsMarks(SlotBytes values) {
    if (values.start() == values.end() || isBlank(values.bytes()[values.start()])) {
      return true;
    }
    boolean needed;
    do {
      needed = needsMarks(values.bytes(), values.start(), values.end());
    } while (!needed && values.next());
    return needed || isBlank(values.bytes()[values.end() - 1]);
  }

  private static boolean needsMarks(byte[] bytes, int start, int end) {
    int at = start;
    int count = Long.BYTES;
    while (at < end && count == Long.BYTES) {
      count = MARKED.before(LittleEndian.getInt64(bytes, at));
      at += count;
    }
    return at < end;
  }

  private static boolean isBlank(byte c) {
    return c == ' ' || c == '\t';
  }

  private static void putDoubled(SlotBytes values, TextOutput output) throws IOException {
    do {
      putDoubled(values.bytes(), values.start(), values.end(), output);
    } while (values.next());
    output.put(values.ellipsis());
  }

  private static void putDoubled(byte[] bytes, int start, int end, TextOutput output)
      throws IOException {
    int at = start;
    while (at < end) {
      at = output.putPiece(bytes, at, end, DOUBLED);
      if (at < end && bytes[at] == '"') {
        output.put(DOUBLE);
        at++;
      }
    }
  }
}
