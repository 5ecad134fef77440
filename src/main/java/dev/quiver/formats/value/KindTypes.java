package dev.quiver.formats.value;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.ColumnType.Kind;
import dev.quiver.formats.ForeignDataException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types that hold values of several kinds: text, unless these are numbers or times that one
/// type holds.
public final class KindTypes {

  private static final Set<TextKind> NUMBERS =
      EnumSet.of(
          TextKind.INTEGER,
          TextKind.LONG_INTEGER,
          TextKind.LARGE_INTEGER,
          TextKind.FRACTION,
          TextKind.UNREPRESENTABLE,
          TextKind.NON_FINITE);

  private static final Set<TextKind> INTEGERS =
      EnumSet.of(TextKind.INTEGER, TextKind.LONG_INTEGER, TextKind.LARGE_INTEGER);

  /// The numbers that a double holds, but for digits of a fraction.
  private static final Set<TextKind> DOUBLES =
      EnumSet.of(TextKind.INTEGER, TextKind.FRACTION, TextKind.NON_FINITE);

  private static final Set<TextKind> TIMES =
      EnumSet.of(
          TextKind.DATE,
          TextKind.DISTANT_DATE,
          TextKind.WRITTEN_DATE,
          TextKind.TIMESTAMP,
          TextKind.DISTANT_TIMESTAMP,
          TextKind.WRITTEN_TIMESTAMP,
          TextKind.LONG_TIMESTAMP,
          TextKind.ZONED_TIMESTAMP,
          TextKind.DISTANT_ZONED_TIMESTAMP,
          TextKind.LONG_ZONED_TIMESTAMP);

  private static final Set<TextKind> DATES =
      EnumSet.of(TextKind.DATE, TextKind.DISTANT_DATE, TextKind.WRITTEN_DATE);

  /// The times that nanoseconds of 64 bits may not reach.
  private static final Set<TextKind> DISTANT_TIMES =
      EnumSet.of(
          TextKind.DISTANT_DATE,
          TextKind.WRITTEN_DATE,
          TextKind.DISTANT_TIMESTAMP,
          TextKind.WRITTEN_TIMESTAMP,
          TextKind.DISTANT_ZONED_TIMESTAMP);

  private static final Set<TextKind> ZONED_TIMES =
      EnumSet.of(
          TextKind.ZONED_TIMESTAMP,
          TextKind.DISTANT_ZONED_TIMESTAMP,
          TextKind.LONG_ZONED_TIMESTAMP);

  private static final Set<TextKind> TIMES_OF_DAY = EnumSet.of(TextKind.TIME, TextKind.LONG_TIME);

  /// The kinds of values that belong together.
  private static final List<Set<TextKind>> FAMILIES =
      List.of(
          NUMBERS,
          TIMES,
          DATES,
          EnumSet.of(TextKind.BOOLEAN),
          TIMES_OF_DAY,
          EnumSet.of(TextKind.UUID));

  private KindTypes() {}

  /// A value because of which a column is text.
  ///
  /// @param type the type that most values have, or null if no one type holds them
  /// @param value the first value of another type, truncated if long
  /// @param row its row, counted from 1
  public record Misfit(@Nullable String type, String value, long row) {

    /// Returns a sentence for the client.
    public String sentence(String column) {
      if (type == null) {
        return "Column %s is text: no other type holds \"%s\" in row %,d and the values before it"
            .formatted(ForeignDataException.excerpt(column), value, row);
      }
      return "Column %s is text: most values are of type %s, but row %,d has \"%s\""
          .formatted(ForeignDataException.excerpt(column), type, row, value);
    }
  }

  /// Returns the type that holds values of all these kinds.
  ///
  /// @param iso whether dates and timestamps have the forms of ISO 8601
  public static ColumnType of(Set<TextKind> kinds, boolean iso) {
    if (kinds.size() == 1) {
      return kinds.iterator().next().type();
    }
    if (kinds.isEmpty()) {
      return ColumnType.VARCHAR;
    }
    if (INTEGERS.containsAll(kinds)) {
      return kinds.contains(TextKind.LARGE_INTEGER) ? ColumnType.DECIMAL_38 : ColumnType.BIGINT;
    }
    if (DOUBLES.containsAll(kinds)) {
      return ColumnType.DOUBLE;
    }
    if (DATES.containsAll(kinds)) {
      return ColumnType.DATE;
    }
    if (TIMES_OF_DAY.containsAll(kinds)) {
      return ColumnType.TIME_NS;
    }
    if (!iso) {
      return ColumnType.VARCHAR;
    }
    if (ZONED_TIMES.containsAll(kinds)) {
      return timestamps(
          kinds, TextKind.LONG_ZONED_TIMESTAMP, ColumnType.TIMESTAMPTZ, ColumnType.TIMESTAMPTZ_NS);
    }
    return TIMES.containsAll(kinds) && Collections.disjoint(kinds, ZONED_TIMES)
        ? timestamps(kinds, TextKind.LONG_TIMESTAMP, ColumnType.TIMESTAMP, ColumnType.TIMESTAMP_NS)
        : ColumnType.VARCHAR;
  }

  private static ColumnType timestamps(
      Set<TextKind> kinds, TextKind longKind, ColumnType microseconds, ColumnType nanoseconds) {
    if (!kinds.contains(longKind)) {
      return microseconds;
    }
    return Collections.disjoint(kinds, DISTANT_TIMES) ? nanoseconds : ColumnType.VARCHAR;
  }

  /// Returns the value because of which a column is text, or null if most of its values are text.
  ///
  /// @param values those of each kind
  /// @param iso as for [#of]
  public static @Nullable Misfit misfit(Map<TextKind, ValueKinds.Values> values, boolean iso) {
    for (Set<TextKind> family : FAMILIES) {
      long all = 0;
      long converting = 0;
      Set<TextKind> present = EnumSet.noneOf(TextKind.class);
      ValueKinds.Values first = null;
      for (Map.Entry<TextKind, ValueKinds.Values> entry : values.entrySet()) {
        ValueKinds.Values found = entry.getValue();
        all += found.count();
        if (family.contains(entry.getKey())) {
          converting += found.count();
          present.add(entry.getKey());
        } else if (first == null || found.firstRow() < first.firstRow()) {
          first = found;
        }
      }
      if (first == null && (present.size() > 1 || present.contains(TextKind.UNREPRESENTABLE))) {
        return untyped(values, iso);
      }
      if (first != null && converting > 0 && 2 * converting >= all) {
        ColumnType type = of(present, iso);
        return type.kind() == Kind.TEXT
            ? null
            : new Misfit(type.displayName(), first.firstValue(), first.firstRow());
      }
    }
    return null;
  }

  /// Returns the first value of one family that no type holds with those before it.
  private static Misfit untyped(Map<TextKind, ValueKinds.Values> values, boolean iso) {
    List<Map.Entry<TextKind, ValueKinds.Values>> inOrder = new ArrayList<>(values.entrySet());
    inOrder.sort(Comparator.comparingLong(entry -> entry.getValue().firstRow()));
    Set<TextKind> kinds = EnumSet.noneOf(TextKind.class);
    ValueKinds.Values last = inOrder.getLast().getValue();
    for (Map.Entry<TextKind, ValueKinds.Values> entry : inOrder) {
      kinds.add(entry.getKey());
      if (of(kinds, iso).kind() == Kind.TEXT) {
        last = entry.getValue();
        break;
      }
    }
    return new Misfit(null, last.firstValue(), last.firstRow());
  }
}
