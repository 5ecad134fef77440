package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.Format;
import dev.quiver.formats.value.TextEncoding;
import dev.quiver.formats.value.ValueKinds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A table of another format, whose text is that of a file. Each of its rows is a line.
public interface CsvTable {

  /// Returns the start of the names of its parameters, such as `excel.`.
  String prefix();

  /// Returns the kinds of the cells below a row, for each column of the text.
  ///
  /// @param row counted from 1; 0 for all cells
  List<ValueKinds> kinds(long row);

  /// Returns the name of a cell, such as `B7`.
  ///
  /// @param column of the text, counted from 0
  /// @param row counted from 1
  String cell(int column, long row);

  /// Returns the options for the text: lines of TSV, each with all fields. An empty field is null.
  ///
  /// @param header whether the first row has the names, or null if that is to be found
  /// @param findsTitles whether lines before the table are to be found
  /// @param types of columns by name; other columns have the types of their cells
  /// @param skipsRows whether rows with a value that its column does not hold are left out
  default CsvOptions options(
      @Nullable Boolean header,
      boolean findsTitles,
      Map<String, ColumnType> types,
      boolean skipsRows) {
    Map<String, List<String>> stated = new HashMap<>();
    CsvOptions.NAMES.forEach(name -> stated.put(name, List.of("")));
    if (header == null) {
      stated.remove("header");
    }
    if (findsTitles) {
      stated.remove("skip");
    }
    return new CsvOptions(
        Format.TSV,
        "\t",
        /* quote= */ "",
        /* escape= */ "\\",
        header == null || header,
        /* skip= */ 0,
        List.of(""),
        /* comment= */ "",
        types,
        /* dateFormat= */ null,
        /* timestampFormat= */ null,
        ".",
        /* dateOrder= */ null,
        TextEncoding.UTF_8,
        /* sample= */ 0,
        skipsRows ? CsvRows.SKIP : CsvRows.STRICT,
        stated,
        this);
  }
}
