package dev.quiver.formats.value;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The kinds of values that a column has in some of its rows. Used by one thread.
public final class ValueKinds {

  private static final int KIND_COUNT = TextKind.values().length;

  private final long[] counts = new long[KIND_COUNT];
  private final @Nullable First[] firsts = new First[KIND_COUNT];

  /// The first value of a kind.
  private record First(long row, String value) {}

  /// The values of one kind.
  ///
  /// @param firstRow the row of the first one, counted from 1
  /// @param firstValue truncated if long
  public record Values(long count, long firstRow, String firstValue) {}

  /// Counts a value.
  ///
  /// @return whether it is the first of its kind, which the caller then passes to [#setFirst]
  public boolean add(TextKind kind) {
    return counts[kind.ordinal()]++ == 0;
  }

  /// Counts several values of a kind that has none yet.
  ///
  /// @param row that of one of them, counted from 1
  /// @param value the one there, truncated if long
  public void add(TextKind kind, long count, long row, String value) {
    counts[kind.ordinal()] = count;
    setFirst(kind, row, value);
  }

  /// Sets the first value of a kind.
  ///
  /// @param row counted from 1
  /// @param value truncated if long
  public void setFirst(TextKind kind, long row, String value) {
    firsts[kind.ordinal()] = new First(row, value);
  }

  /// Adds the values of later rows.
  ///
  /// @param rowCount the rows before these
  public void addAll(ValueKinds later, long rowCount) {
    for (int i = 0; i < KIND_COUNT; i++) {
      counts[i] += later.counts[i];
      First first = later.firsts[i];
      if (firsts[i] == null && first != null) {
        firsts[i] = new First(rowCount + first.row(), first.value());
      }
    }
  }

  /// Returns the values of each kind of which there are any.
  public Map<TextKind, Values> values() {
    Map<TextKind, Values> values = new EnumMap<>(TextKind.class);
    for (TextKind kind : TextKind.values()) {
      First first = firsts[kind.ordinal()];
      if (first != null) {
        values.put(kind, new Values(counts[kind.ordinal()], first.row(), first.value()));
      }
    }
    return values;
  }
}
