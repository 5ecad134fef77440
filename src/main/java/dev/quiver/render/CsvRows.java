package dev.quiver.render;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Field;
import java.io.IOException;
import java.util.List;

/// Rows of cells between commas.
final class CsvRows {

  private final CsvValues values;
  private final List<String> names;
  private final List<SlotWriter.OfField> cells;

  CsvRows(List<Field> fields, Numbers numbers) {
    this.values = CsvValues.quoted(numbers);
    this.names = Names.distinct(fields);
    this.cells = fields.stream().map(values::of).toList();
  }

  void writeHeader(TextOutput output) throws IOException {
    for (int i = 0; i < names.size(); i++) {
      if (i > 0) {
        output.put(',');
      }
      values.name(names.get(i), output);
    }
  }

  SlotWriter of(List<ArrayData> columns) {
    SlotWriter[] writers = new SlotWriter[cells.size()];
    for (int i = 0; i < writers.length; i++) {
      writers[i] = cells.get(i).of(columns.get(i));
    }
    return (slot, output) -> {
      for (int i = 0; i < writers.length; i++) {
        if (i > 0) {
          output.put(',');
        }
        writers[i].write(slot, output);
      }
    };
  }
}
