package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Rows of cells, and the row of their names.
final class CellRows {

  private final CellStyle style;
  private final List<String> names;
  private final DelimitedFields cells;

  CellRows(CellStyle style, List<Field> fields, TextOptions options) {
    CellValues values = new CellValues(style, options);
    List<PreparedText> starts = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      starts.add(i == 0 ? PreparedText.NOTHING : style.separator());
    }
    this.style = style;
    this.names = UniqueNames.distinct(fields);
    this.cells =
        new DelimitedFields(
            starts,
            fields.stream().map(values::ofNonNull).toList(),
            style.nullText(),
            PreparedText.NOTHING);
  }

  void writeHeader(TextOutput output) throws IOException {
    for (int i = 0; i < names.size(); i++) {
      if (i > 0) {
        output.put(style.separator());
      }
      style.name(names.get(i), output);
    }
  }

  SlotWriter of(List<ArrayData> columns) {
    return cells.of(columns);
  }
}
