package dev.quiver.foreign.csv;

import dev.quiver.foreign.ForeignDataException;
import java.util.EnumMap;
import java.util.Map;

/// The kinds of values that a column of a CSV file has in its first rows.
final class CsvKinds {

  private final Map<TextKind, Values> values = new EnumMap<>(TextKind.class);

  /// The values of one kind.
  ///
  /// @param firstRow the row of the first one, counted from 1
  record Values(long count, long firstRow, String firstValue) {}

  /// Counts a value. Returns whether it is the first of its kind, which [#first] must tell.
  boolean add(TextKind kind) {
    return values.computeIfPresent(
            kind, (_, known) -> new Values(known.count() + 1, known.firstRow(), known.firstValue()))
        == null;
  }

  /// @param row counted from 1
  void first(TextKind kind, long row, String value) {
    values.put(kind, new Values(1, row, ForeignDataException.excerpt(value)));
  }

  Map<TextKind, Values> values() {
    return values;
  }
}
