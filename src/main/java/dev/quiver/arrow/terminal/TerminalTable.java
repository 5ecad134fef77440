package dev.quiver.arrow.terminal;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.text.CellText;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;

/// Rows as a table of characters for a terminal: the first and the last ones, in as many columns as
/// fit its width, and how many there are.
///
/// Only the rows that are shown are kept, and of a row only the columns that may be shown. Not
/// thread-safe.
///
/// A change of the bytes for the same data requires another number in entity tags (`TagVariant`).
public final class TerminalTable {

  /// The form of a table.
  ///
  /// @param width the columns of the terminal
  /// @param rows the number of rows that are shown
  public record Form(int width, int rows) {

    /// Fewer columns have no room for two columns of a table.
    public static final int WIDTH_MINIMUM = 40;

    public static final int WIDTH_MAXIMUM = 1_000;
    public static final int WIDTH_DEFAULT = 120;
    public static final int ROWS_DEFAULT = 40;

    public Form {
      if (width < WIDTH_MINIMUM || width > WIDTH_MAXIMUM || rows < 0) {
        throw new IllegalArgumentException(
            "Expected a width of %d to %d and 0 rows or more but found %d and %d"
                .formatted(WIDTH_MINIMUM, WIDTH_MAXIMUM, width, rows));
      }
    }

    /// Returns how many of the rows are the first ones. The others are the last ones.
    public int firstRows() {
      return (rows + 1) / 2;
    }

    public int lastRows() {
      return rows - firstRows();
    }
  }

  private static final String NULL = "NULL";

  /// The columns around the text of a cell: a space on each side, and a line.
  private static final int CELL_MARGIN = 3;

  /// The characters that are kept of each cell, however many columns there are.
  private static final int CELL_MINIMUM = 16;

  private final Form form;
  private final TextOptions options;
  private final List<Field> fields;

  /// The fields that may be shown, by their positions.
  private final List<Integer> candidates = new ArrayList<>();

  /// The characters that are kept of a cell. All cells of a row have a few times those of its line,
  /// since only some of the candidates are shown.
  private final int cellMaximum;

  private final List<List<String>> first = new ArrayList<>();
  private final Queue<List<String>> last = new ArrayDeque<>();
  private long rowCount;

  public TerminalTable(Schema schema, TextOptions options, Form form) {
    this.form = form;
    this.options = options;
    this.fields = schema.fields();
    int shownMaximum = form.width() / (CELL_MARGIN + 1) + 1;
    for (int i = 0; i < fields.size(); i++) {
      if (i < shownMaximum || i >= fields.size() - shownMaximum) {
        candidates.add(i);
      }
    }
    int share = 4 * form.width() / Math.max(1, candidates.size());
    this.cellMaximum = Math.clamp(share, CELL_MINIMUM, form.width());
  }

  /// Adds the rows of a batch of the schema, of which most may only be counted.
  public void add(RecordBatch batch) {
    List<CellText> cells =
        candidates.stream()
            .map(i -> new CellText(batch.columns().get(i), options, cellMaximum))
            .toList();
    long slot = 0;
    for (; slot < batch.length() && first.size() < form.firstRows(); slot++) {
      first.add(row(cells, slot));
    }
    for (slot = Math.max(slot, batch.length() - form.lastRows()); slot < batch.length(); slot++) {
      last.add(row(cells, slot));
      if (last.size() > form.lastRows()) {
        last.remove();
      }
    }
    rowCount += batch.length();
  }

  /// Counts rows that are neither among the first nor among the last ones.
  public void skip(long rows) {
    rowCount += rows;
  }

  private List<String> row(List<CellText> cells, long slot) {
    List<String> row = new ArrayList<>(cells.size());
    for (CellText cell : cells) {
      String text = cell.get(slot);
      row.add(text == null ? NULL : shortened(TerminalText.escaped(text)));
    }
    return row;
  }

  /// Returns a text without the characters beyond the maximum, of which escapes may have many.
  private String shortened(String text) {
    if (text.length() <= cellMaximum + 1) {
      return text;
    }
    int end = cellMaximum - (Character.isHighSurrogate(text.charAt(cellMaximum - 1)) ? 1 : 0);
    return text.substring(0, end) + "…";
  }

  /// Writes the table.
  public void writeTo(ByteSink sink) throws IOException {
    byte[] text = text().getBytes(StandardCharsets.UTF_8);
    sink.write(MemorySegment.ofArray(text));
  }

  private String text() {
    List<String> names =
        candidates.stream().map(i -> TerminalText.escaped(fields.get(i).name())).toList();
    List<String> types =
        candidates.stream().map(i -> TerminalText.escaped(fields.get(i).describeType())).toList();
    List<Boolean> right = candidates.stream().map(i -> isNumber(fields.get(i))).toList();
    List<List<String>> rows = new ArrayList<>(first);
    rows.addAll(last);
    TerminalColumns columns =
        TerminalColumns.fitting(
            form.width(), names, types, rows, candidates.size() < fields.size());
    StringBuilder text = new StringBuilder();
    if (!fields.isEmpty()) {
      columns.rule(text, "┌┬┐");
      columns.line(text, names, right);
      columns.line(text, types, right);
      columns.rule(text, "├┼┤");
      boolean isCut = rows.size() < rowCount;
      for (int i = 0; i < rows.size(); i++) {
        if (isCut && i == first.size()) {
          columns.ellipses(text, right);
        }
        columns.line(text, rows.get(i), right);
      }
      if (isCut && last.isEmpty()) {
        columns.ellipses(text, right);
      }
      columns.rule(text, "└┴┘");
    }
    int shownColumns = fields.isEmpty() ? 0 : columns.shownCount();
    String rowsText = counted(rowCount, "row", rows.size());
    String columnsText = counted(fields.size(), "column", shownColumns);
    boolean isShort = rowsText.length() + columnsText.length() + 2 <= form.width();
    return text.append(rowsText)
        .append(isShort ? ", " : "\n")
        .append(columnsText)
        .append('\n')
        .toString();
  }

  private static String counted(long count, String unit, long shown) {
    String all = String.format(Locale.ROOT, "%,d %s%s", count, unit, count == 1 ? "" : "s");
    return shown == count ? all : String.format(Locale.ROOT, "%s (%,d shown)", all, shown);
  }

  private static boolean isNumber(Field field) {
    return switch (field.type()) {
      case ArrowType.Int _, ArrowType.Decimal _, ArrowType.FloatingPoint _ -> true;
      case ArrowType.RunEndEncoded() -> isNumber(field.children().getLast());
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.Date _,
          ArrowType.Time _,
          ArrowType.Timestamp _,
          ArrowType.Duration _,
          ArrowType.Interval _,
          ArrowType.Bytes _,
          ArrowType.Text _,
          ArrowType.Nested _ ->
          false;
    };
  }
}
