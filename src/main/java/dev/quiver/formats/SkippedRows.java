package dev.quiver.formats;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The rows of a file that were left out.
///
/// @param count of all of them
/// @param kinds the number of rows for each kind of reason, such as `value`
/// @param rows the first hundred
public record SkippedRows(long count, Map<String, Long> kinds, List<Row> rows) {

  public static final SkippedRows NONE = new SkippedRows(0, Map.of(), List.of());

  public SkippedRows {
    kinds = Collections.unmodifiableMap(new TreeMap<>(kinds));
    rows = List.copyOf(rows);
  }

  /// A row.
  ///
  /// @param line of the file, counted from 1
  /// @param reason a sentence
  public record Row(long line, String reason) {}
}
