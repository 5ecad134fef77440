package dev.quiver.formats.excel;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.KindParser;
import dev.quiver.formats.value.TextKind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes the rows of a sheet as lines of TSV, each as the row of its number, and then the summary.
/// Used by one thread.
final class SheetWriter {

  private static final int PIECE_BYTE_SIZE = 256 << 10;

  /// The integers that every double of their size is.
  private static final double INTEGER_MAXIMUM = 1L << 53;

  /// The digits of the widest type of integers.
  private static final int INTEGER_DIGITS_MAXIMUM = 38;

  /// The characters of a number. More are no number of a program.
  private static final int NUMBER_LENGTH_MAXIMUM = 400;

  private final ByteSink sink;
  private final CellStyles styles;
  private final boolean is1904;
  private final Set<String> nulls;
  private final ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE_BYTE_SIZE);
  private final KindParser kinds = new KindParser();
  private final List<ColumnCells.Counts> columns = new ArrayList<>();

  /// The rows that were written.
  private int rowCount;

  /// The columns of the current row that were written, or passed.
  private int columnCount;

  private SheetNote errors = SheetNote.NONE;
  private SheetNote formulas = SheetNote.NONE;
  private SheetNote durations = SheetNote.NONE;
  private SheetNote unformatted = SheetNote.NONE;

  /// @param is1904 whether dates are days since 1904
  /// @param nulls texts that stand for missing values
  SheetWriter(ByteSink sink, CellStyles styles, boolean is1904, Set<String> nulls) {
    this.sink = sink;
    this.styles = styles;
    this.is1904 = is1904;
    this.nulls = nulls;
  }

  /// Writes the value of a cell, after the ends of the rows before it.
  void add(SheetReader cell) throws IOException {
    String text = text(cell);
    if (text.isEmpty()) {
      return;
    }
    while (rowCount < cell.row() - 1) {
      endRow();
    }
    for (; columnCount < cell.column(); columnCount++) {
      piece.write('\t');
    }
    write(text);
  }

  private void endRow() throws IOException {
    piece.write('\n');
    columnCount = 0;
    rowCount++;
    if (piece.size() >= PIECE_BYTE_SIZE) {
      flush();
    }
  }

  private void flush() throws IOException {
    sink.write(MemorySegment.ofArray(piece.toByteArray()));
    piece.reset();
  }

  private void write(String text) {
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      String escaped =
          switch (text.charAt(i)) {
            case '\t' -> "\\t";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\\' -> "\\\\";
            default -> null;
          };
      if (escaped != null) {
        piece.writeBytes(text.substring(start, i).getBytes(StandardCharsets.UTF_8));
        piece.writeBytes(escaped.getBytes(StandardCharsets.US_ASCII));
        start = i + 1;
      }
    }
    piece.writeBytes(text.substring(start).getBytes(StandardCharsets.UTF_8));
  }

  /// Returns the text of a cell, or an empty one if it has no value, and counts it.
  private String text(SheetReader cell) {
    if (cell.lacksValue()) {
      formulas = formulas.with(name(cell), "");
      return "";
    }
    String text = cell.text();
    if (text.isEmpty()) {
      return "";
    }
    return switch (cell.type()) {
      case NUMBER -> number(cell, text);
      case BOOLEAN -> counted(TextKind.BOOLEAN, cell, bool(cell, text));
      case DATE -> date(cell, text);
      case ERROR -> {
        errors = errors.with(name(cell), ForeignDataException.excerpt(text));
        yield "";
      }
      case TEXT, INLINE_TEXT, SHARED_TEXT ->
          nulls.contains(text) ? "" : counted(TextKind.TEXT, cell, text);
    };
  }

  private static String bool(SheetReader cell, String text) {
    return switch (text) {
      case "1", "true" -> "true";
      case "0", "false" -> "false";
      default -> throw cell.invalid("1 or 0 as a boolean", text);
    };
  }

  private String date(SheetReader cell, String text) {
    String date = CellDate.ofIso(text, format(cell));
    if (date == null) {
      throw cell.invalid("a date or a time of ISO 8601", text);
    }
    return counted(kind(date), cell, date);
  }

  private String number(SheetReader cell, String raw) {
    NumberFormat format = format(cell);
    boolean isInteger = isInteger(raw);
    double number = isInteger && format == NumberFormat.NUMBER ? 0 : parse(cell, raw);
    if (format == NumberFormat.DURATION) {
      durations = durations.with(name(cell), "");
    } else if (format != NumberFormat.NUMBER) {
      String date = CellDate.text(number, format, is1904);
      if (date != null) {
        return counted(kind(date), cell, date);
      }
    }
    if (isInteger) {
      return counted(kind(raw), cell, raw);
    }
    // A number of Excel is a double, however many digits a program has written.
    boolean isWhole = number == Math.rint(number) && Math.abs(number) <= INTEGER_MAXIMUM;
    String text = isWhole ? Long.toString((long) number) : Double.toString(number);
    return counted(isWhole ? TextKind.INTEGER : TextKind.FRACTION, cell, text);
  }

  private static double parse(SheetReader cell, String raw) {
    double number = Double.NaN;
    if (raw.length() <= NUMBER_LENGTH_MAXIMUM && raw.chars().allMatch(SheetWriter::isOfNumber)) {
      try {
        number = Double.parseDouble(raw);
      } catch (NumberFormatException _) {
        // It has the characters of a number alone.
      }
    }
    if (!Double.isFinite(number)) {
      throw cell.invalid("a number", raw);
    }
    return number;
  }

  private static boolean isOfNumber(int character) {
    return character >= '0' && character <= '9'
        || character == '.'
        || character == '-'
        || character == '+'
        || character == 'E'
        || character == 'e';
  }

  /// Returns whether a number is an integer that is kept as it is written.
  private static boolean isInteger(String number) {
    int first = number.startsWith("-") ? 1 : 0;
    int digits = number.length() - first;
    if (digits == 0
        || digits > INTEGER_DIGITS_MAXIMUM
        || number.charAt(first) == '0' && number.length() > 1) {
      return false;
    }
    for (int i = first; i < number.length(); i++) {
      if (number.charAt(i) < '0' || number.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private NumberFormat format(SheetReader cell) {
    NumberFormat format = styles.format(cell.style());
    if (format == null && cell.style() > 0) {
      unformatted = unformatted.with(name(cell), "");
    }
    return format == null ? NumberFormat.NUMBER : format;
  }

  private TextKind kind(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return kinds.kind(bytes, 0, bytes.length);
  }

  private String counted(TextKind kind, SheetReader cell, String text) {
    while (columns.size() <= cell.column()) {
      columns.add(new ColumnCells.Counts());
    }
    columns.get(cell.column()).add(kind, cell.row(), text);
    return text;
  }

  private static String name(SheetReader cell) {
    return name(cell.column(), cell.row());
  }

  /// Returns the name of a cell.
  ///
  /// @param column counted from 0
  /// @param row counted from 1
  static String name(int column, int row) {
    StringBuilder letters = new StringBuilder();
    for (int rest = column; rest >= 0; rest = rest / 26 - 1) {
      letters.append((char) ('A' + rest % 26));
    }
    return letters.reverse().append(row).toString();
  }

  /// Writes what is left of the rows, the summary, and its size in four bytes.
  ///
  /// @param sheets the names of all sheets
  void finish(List<String> sheets, @Nullable String sheet) throws IOException {
    endRow();
    flush();
    SheetSummary summary =
        new SheetSummary(
            sheets,
            sheet,
            columns.stream().map(ColumnCells.Counts::column).toList(),
            errors,
            formulas,
            durations,
            unformatted);
    DataOutputStream output = new DataOutputStream(piece);
    summary.write(output);
    output.writeInt(piece.size());
    flush();
  }
}
