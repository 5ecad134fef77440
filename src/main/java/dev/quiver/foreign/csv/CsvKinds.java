package dev.quiver.foreign.csv;

import dev.quiver.foreign.ForeignDataException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/// The kinds of values that a column of a CSV file has in its first rows.
final class CsvKinds {

  private final Map<TextKind, Values> values = new EnumMap<>(TextKind.class);

  /// The values of one kind.
  ///
  /// @param firstRow the row of the first one, counted from 1
  record Values(long count, long firstRow, String firstValue) {}

  /// Adds a value.
  ///
  /// @param row counted from 1
  /// @param value returns its text
  void add(TextKind kind, long row, Supplier<String> value) {
    Values known = values.get(kind);
    values.put(
        kind,
        known == null
            ? new Values(1, row, ForeignDataException.excerpt(value.get()))
            : new Values(known.count() + 1, known.firstRow(), known.firstValue()));
  }

  Map<TextKind, Values> values() {
    return values;
  }
}
