package dev.quiver.formats;

import java.util.List;

/// The rows of a file that were left out.
///
/// @param count of all of them
/// @param rows the first hundred
public record SkippedRows(long count, List<Row> rows) {

  public static final SkippedRows NONE = new SkippedRows(0, List.of());

  public SkippedRows {
    rows = List.copyOf(rows);
  }

  /// A row.
  ///
  /// @param line of the file, counted from 1
  /// @param reason a sentence
  public record Row(long line, String reason) {}
}
