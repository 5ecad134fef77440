package dev.quiver.formats.csv;

import dev.quiver.formats.value.ValueKinds;
import java.util.List;

/// A table of another format, whose text is that of a file. Each of its rows is a line.
public interface CsvTable {

  /// Returns the kinds of the cells below a row, for each column of the text.
  ///
  /// @param row counted from 1; 0 for all cells
  List<ValueKinds> kinds(long row);

  /// Returns the name of a cell, such as `B7`.
  ///
  /// @param column of the text, counted from 0
  /// @param row counted from 1
  String cell(int column, long row);
}
