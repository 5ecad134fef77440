package dev.quiver.formats.csv;

import dev.quiver.formats.ForeignDataException;
import java.util.EnumMap;
import java.util.Map;

/// The kinds of values that a column of a CSV file has in its first rows.
final class CsvKinds {

  private final CsvOptions options;
  private final long[] counts = new long[TextKind.values().length];
  private final Map<TextKind, First> firsts = new EnumMap<>(TextKind.class);

  CsvKinds(CsvOptions options) {
    this.options = options;
  }

  /// The first value of a kind.
  private record First(long row, String value) {}

  /// The values of one kind.
  ///
  /// @param firstRow the row of the first one, counted from 1
  /// @param firstValue truncated if long
  record Values(long count, long firstRow, String firstValue) {}

  /// Adds a value.
  ///
  /// @param row counted from 1
  /// @param range of its field in the block
  void add(TextKind kind, long row, CsvBlock block, long range) {
    if (counts[kind.ordinal()]++ == 0) {
      firsts.put(kind, new First(row, ForeignDataException.excerpt(options.text(block, range))));
    }
  }

  /// Returns the values of each kind of which there are any.
  Map<TextKind, Values> values() {
    Map<TextKind, Values> values = new EnumMap<>(TextKind.class);
    firsts.forEach((kind, first) ->
        values.put(kind, new Values(counts[kind.ordinal()], first.row(), first.value())));
    return values;
  }
}
