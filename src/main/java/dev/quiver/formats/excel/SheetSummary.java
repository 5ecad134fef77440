package dev.quiver.formats.excel;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The types of the cells of a sheet, and what there is to tell of them.
///
/// @param sheets the names of all sheets of the workbook
/// @param sheet the name of this one, or null if the workbook has none that was asked for
/// @param columns from the first column of the sheet on
/// @param errors cells with an error such as `#DIV/0!`
/// @param formulas cells with a formula whose value is not in the file
/// @param durations cells with hours, minutes or seconds beyond a day
/// @param unformatted numbers with a style that the workbook lacks
record SheetSummary(
    List<String> sheets,
    @Nullable String sheet,
    List<ColumnCells> columns,
    SheetNote errors,
    SheetNote formulas,
    SheetNote durations,
    SheetNote unformatted) {

  SheetSummary {
    sheets = List.copyOf(sheets);
    columns = List.copyOf(columns);
  }

  static SheetSummary read(DataInput input) throws IOException {
    List<String> sheets = new ArrayList<>();
    for (int i = input.readInt(); i > 0; i--) {
      sheets.add(input.readUTF());
    }
    String sheet = input.readBoolean() ? input.readUTF() : null;
    List<ColumnCells> columns = new ArrayList<>();
    for (int i = input.readInt(); i > 0; i--) {
      columns.add(ColumnCells.read(input));
    }
    return new SheetSummary(
        sheets,
        sheet,
        columns,
        SheetNote.read(input),
        SheetNote.read(input),
        SheetNote.read(input),
        SheetNote.read(input));
  }

  void write(DataOutput output) throws IOException {
    output.writeInt(sheets.size());
    for (String name : sheets) {
      output.writeUTF(name);
    }
    output.writeBoolean(sheet != null);
    if (sheet != null) {
      output.writeUTF(sheet);
    }
    output.writeInt(columns.size());
    for (ColumnCells column : columns) {
      column.write(output);
    }
    errors.write(output);
    formulas.write(output);
    durations.write(output);
    unformatted.write(output);
  }
}
