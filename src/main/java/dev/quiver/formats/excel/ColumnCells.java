package dev.quiver.formats.excel;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.TextKind;
import dev.quiver.formats.value.ValueKinds;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The kinds of the cells of a column.
///
/// @param kinds without those of which the column has no cell
record ColumnCells(Map<TextKind, Cells> kinds) {

  /// The rows of first cells that are kept: titles and the header are among them.
  private static final int FIRST_ROWS_MAXIMUM = 16;

  /// The cells of one kind.
  ///
  /// @param firstRows those of the first ones, counted from 1
  /// @param lastRow the row of the last one, counted from 1
  /// @param lastValue truncated if long
  record Cells(long count, List<Integer> firstRows, int lastRow, String lastValue) {}

  /// Counts cells, in the order of their rows.
  static final class Counts {

    private static final TextKind[] KINDS = TextKind.values();

    private final long[] counts = new long[KINDS.length];
    private final int[][] firstRows = new int[KINDS.length][];
    private final int[] rows = new int[KINDS.length];
    private final String[] values = new String[KINDS.length];

    void add(TextKind kind, int row, String value) {
      int i = kind.ordinal();
      if (counts[i] == 0) {
        firstRows[i] = new int[FIRST_ROWS_MAXIMUM];
      }
      if (counts[i] < FIRST_ROWS_MAXIMUM) {
        firstRows[i][(int) counts[i]] = row;
      }
      counts[i]++;
      rows[i] = row;
      values[i] = value;
    }

    ColumnCells column() {
      Map<TextKind, Cells> kinds = new EnumMap<>(TextKind.class);
      for (TextKind kind : KINDS) {
        int i = kind.ordinal();
        if (counts[i] > 0) {
          int firstCount = (int) Math.min(counts[i], FIRST_ROWS_MAXIMUM);
          kinds.put(
              kind,
              new Cells(
                  counts[i],
                  IntStream.of(firstRows[i]).limit(firstCount).boxed().toList(),
                  rows[i],
                  ForeignDataException.excerpt(values[i])));
        }
      }
      return new ColumnCells(kinds);
    }
  }

  static ColumnCells read(DataInput input) throws IOException {
    Map<TextKind, Cells> kinds = new EnumMap<>(TextKind.class);
    for (int i = input.readUnsignedByte(); i > 0; i--) {
      TextKind kind = Counts.KINDS[input.readUnsignedByte()];
      long count = input.readLong();
      List<Integer> firstRows = new ArrayList<>();
      for (int j = input.readUnsignedByte(); j > 0; j--) {
        firstRows.add(input.readInt());
      }
      kinds.put(kind, new Cells(count, firstRows, input.readInt(), input.readUTF()));
    }
    return new ColumnCells(kinds);
  }

  void write(DataOutput output) throws IOException {
    output.writeByte(kinds.size());
    for (Map.Entry<TextKind, Cells> entry : kinds.entrySet()) {
      output.writeByte(entry.getKey().ordinal());
      Cells cells = entry.getValue();
      output.writeLong(cells.count());
      output.writeByte(cells.firstRows().size());
      for (int row : cells.firstRows()) {
        output.writeInt(row);
      }
      output.writeInt(cells.lastRow());
      output.writeUTF(cells.lastValue());
    }
  }

  /// Returns whether there is a cell in a row or below it.
  ///
  /// @param row counted from 1
  boolean reaches(int row) {
    return kinds.values().stream().anyMatch(cells -> cells.lastRow() >= row);
  }

  /// Returns the kinds of the cells below a row.
  ///
  /// @param row counted from 1; 0 for all cells
  ValueKinds below(int row) {
    ValueKinds values = new ValueKinds();
    kinds.forEach((kind, cells) -> {
      if (cells.lastRow() > row) {
        long above = cells.firstRows().stream().filter(first -> first <= row).count();
        values.add(kind, cells.count() - above, cells.lastRow(), cells.lastValue());
      }
    });
    return values;
  }
}
