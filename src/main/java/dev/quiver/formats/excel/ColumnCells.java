package dev.quiver.formats.excel;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.TextKind;
import dev.quiver.formats.value.ValueKinds;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/// The kinds of the cells of a column.
///
/// @param kinds without those of which the column has no cell
record ColumnCells(Map<TextKind, Cells> kinds) {

  /// The cells of one kind.
  ///
  /// @param lastRow the row of the last one, counted from 1
  /// @param lastValue truncated if long
  record Cells(long count, int lastRow, String lastValue) {}

  /// Counts cells, in the order of their rows.
  static final class Counts {

    private static final TextKind[] KINDS = TextKind.values();

    private final long[] counts = new long[KINDS.length];
    private final int[] rows = new int[KINDS.length];
    private final String[] values = new String[KINDS.length];

    void add(TextKind kind, int row, String value) {
      int i = kind.ordinal();
      counts[i]++;
      rows[i] = row;
      values[i] = value;
    }

    ColumnCells column() {
      Map<TextKind, Cells> kinds = new EnumMap<>(TextKind.class);
      for (TextKind kind : KINDS) {
        int i = kind.ordinal();
        if (counts[i] > 0) {
          kinds.put(kind, new Cells(counts[i], rows[i], ForeignDataException.excerpt(values[i])));
        }
      }
      return new ColumnCells(kinds);
    }
  }

  static ColumnCells read(DataInput input) throws IOException {
    Map<TextKind, Cells> kinds = new EnumMap<>(TextKind.class);
    for (int i = input.readUnsignedByte(); i > 0; i--) {
      TextKind kind = Counts.KINDS[input.readUnsignedByte()];
      kinds.put(kind, new Cells(input.readLong(), input.readInt(), input.readUTF()));
    }
    return new ColumnCells(kinds);
  }

  void write(DataOutput output) throws IOException {
    output.writeByte(kinds.size());
    for (Map.Entry<TextKind, Cells> entry : kinds.entrySet()) {
      output.writeByte(entry.getKey().ordinal());
      Cells cells = entry.getValue();
      output.writeLong(cells.count());
      output.writeInt(cells.lastRow());
      output.writeUTF(cells.lastValue());
    }
  }

  boolean isEmpty() {
    return kinds.isEmpty();
  }

  /// Returns the kinds of the cells below a row.
  ///
  /// @param row counted from 1; 0 for all cells
  ValueKinds below(int row) {
    ValueKinds values = new ValueKinds();
    kinds.forEach((kind, cells) -> {
      if (cells.lastRow() > row) {
        values.add(kind, cells.count(), cells.lastRow(), cells.lastValue());
      }
    });
    return values;
  }
}
