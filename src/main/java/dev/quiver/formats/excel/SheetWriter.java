package dev.quiver.formats.excel;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.KindParser;
import dev.quiver.formats.value.TextKind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.Row;
import org.jspecify.annotations.Nullable;

/// Writes the rows of a sheet as lines of TSV, each as the row of its number, and then the summary.
/// Used by one thread.
final class SheetWriter {

  /// The rows of a sheet (ECMA-376; Excel's own limit).
  static final int ROW_COUNT_MAXIMUM = 1_048_576;

  static final int COLUMN_COUNT_MAXIMUM = 16_384;

  private static final int PIECE_BYTE_SIZE = 256 << 10;

  /// The integers that every double of their size is.
  private static final double INTEGER_MAXIMUM = 1L << 53;

  /// The digits of the widest type of integers.
  private static final int INTEGER_DIGITS_MAXIMUM = 38;

  /// A character as its number of UTF-16, since XML has no other way to write it.
  private static final Pattern ESCAPED_CHARACTER = Pattern.compile("_x([0-9A-Fa-f]{4})_");

  private static final Set<String> ERRORS =
      Set.of(
          "#NULL!",
          "#DIV/0!",
          "#VALUE!",
          "#REF!",
          "#NAME?",
          "#NUM!",
          "#N/A",
          "#GETTING_DATA",
          "#SPILL!",
          "#CALC!",
          "#FIELD!",
          "#BLOCKED!",
          "#CONNECT!",
          "#UNKNOWN!",
          "#BUSY!");

  private final ByteSink sink;
  private final boolean is1904;
  private final Set<String> nulls;
  private final ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE_BYTE_SIZE);
  private final KindParser kinds = new KindParser();
  private final Map<String, NumberFormat> formats = new HashMap<>();
  private final List<ColumnCells.Counts> columns = new ArrayList<>();

  /// The rows that were written.
  private int rowCount;

  /// Added to the numbers of rows.
  private int firstNumber;

  private SheetNote errors = SheetNote.NONE;
  private SheetNote formulas = SheetNote.NONE;
  private SheetNote durations = SheetNote.NONE;

  /// @param is1904 whether dates are days since 1904
  /// @param nulls texts that stand for missing values
  SheetWriter(ByteSink sink, boolean is1904, Set<String> nulls) {
    this.sink = sink;
    this.is1904 = is1904;
    this.nulls = nulls;
  }

  /// Writes a row, after empty ones for those that the file leaves out.
  void add(Row row) throws IOException {
    if (rowCount == 0 && row.getRowNum() == 0) {
      // Rows need no numbers. The library then counts them from 0.
      firstNumber = 1;
    }
    int number = row.getRowNum() + firstNumber;
    if (row.getCellCount() > COLUMN_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected cells in the first %,d columns but found one in column %,d of row %,d"
              .formatted(COLUMN_COUNT_MAXIMUM, row.getCellCount(), number));
    }
    if (number <= rowCount || number > ROW_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected a row after row %,d, up to row %,d, but found row %,d"
              .formatted(rowCount, ROW_COUNT_MAXIMUM, number));
    }
    while (rowCount < number - 1) {
      endRow();
    }
    int written = 0;
    for (int i = 0; i < row.getCellCount(); i++) {
      Cell cell = row.getCell(i);
      String text = cell == null ? "" : text(cell, i, number);
      if (!text.isEmpty()) {
        while (written < i) {
          piece.write('\t');
          written++;
        }
        write(text);
      }
    }
    endRow();
  }

  private void endRow() throws IOException {
    piece.write('\n');
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
  private String text(Cell cell, int column, int row) {
    Object value = cell.getValue();
    if (cell.getType() == CellType.ERROR || value instanceof String text && isError(cell, text)) {
      errors = errors.with(name(column, row), ForeignDataException.excerpt(text(cell)));
      return "";
    }
    if (cell.getType() == CellType.FORMULA && value == null && cell.getRawValue() == null) {
      formulas = formulas.with(name(column, row), "");
      return "";
    }
    return switch (value) {
      case null -> "";
      case BigDecimal _ -> number(cell, column, row);
      case Boolean is -> counted(TextKind.BOOLEAN, column, row, is.toString());
      default -> {
        String text = unescaped(value.toString());
        yield text.isEmpty() || nulls.contains(text)
            ? ""
            : counted(TextKind.TEXT, column, row, text);
      }
    };
  }

  private static String text(Cell cell) {
    return cell.getRawValue() == null ? "" : cell.getRawValue();
  }

  /// Returns whether a formula has an error. Its cell does not tell that from a text.
  private static boolean isError(Cell cell, String text) {
    return cell.getType() == CellType.FORMULA && ERRORS.contains(text);
  }

  private String number(Cell cell, int column, int row) {
    String raw = cell.getRawValue().strip();
    NumberFormat format = format(cell);
    if (format == NumberFormat.DURATION) {
      durations = durations.with(name(column, row), "");
    } else if (format != NumberFormat.NUMBER) {
      String date = CellDate.text(Double.parseDouble(raw), format, is1904);
      if (date != null) {
        return counted(kind(date), column, row, date);
      }
    }
    if (isInteger(raw)) {
      return counted(kind(raw), column, row, raw);
    }
    // A number of Excel is a double, however many digits a program has written.
    double number = Double.parseDouble(raw);
    boolean isInteger = number == Math.rint(number) && Math.abs(number) <= INTEGER_MAXIMUM;
    String text = isInteger ? Long.toString((long) number) : Double.toString(number);
    return counted(isInteger ? TextKind.INTEGER : TextKind.FRACTION, column, row, text);
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

  private NumberFormat format(Cell cell) {
    String code = cell.getDataFormatString();
    Integer id = cell.getDataFormatId();
    return code == null
        ? NumberFormat.of(id, null)
        : formats.computeIfAbsent(code, each -> NumberFormat.of(id, each));
  }

  private TextKind kind(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return kinds.kind(bytes, 0, bytes.length);
  }

  private String counted(TextKind kind, int column, int row, String text) {
    while (columns.size() <= column) {
      columns.add(new ColumnCells.Counts());
    }
    columns.get(column).add(kind, row, text);
    return text;
  }

  private static String unescaped(String text) {
    if (!text.contains("_x")) {
      return text;
    }
    Matcher matcher = ESCAPED_CHARACTER.matcher(text);
    return matcher.replaceAll(found ->
        Matcher.quoteReplacement(Character.toString((char) Integer.parseInt(found.group(1), 16))));
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
    flush();
    SheetSummary summary =
        new SheetSummary(
            sheets,
            sheet,
            columns.stream().map(ColumnCells.Counts::column).toList(),
            errors,
            formulas,
            durations);
    DataOutputStream output = new DataOutputStream(piece);
    summary.write(output);
    output.writeInt(piece.size());
    flush();
  }
}
