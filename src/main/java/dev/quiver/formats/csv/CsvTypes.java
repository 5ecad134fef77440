package dev.quiver.formats.csv;

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

/// The types of the columns of a CSV file.
///
/// @param types by the index of the column
/// @param textColumns the columns that are text although at least half of their values are not, or
///   all are numbers or times that no one type holds
record CsvTypes(List<ColumnType> types, List<TextColumn> textColumns) {

  private static final Set<TextKind> NUMBERS =
      EnumSet.of(
          TextKind.INTEGER,
          TextKind.LONG_INTEGER,
          TextKind.LARGE_INTEGER,
          TextKind.FRACTION,
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
          TextKind.TIMESTAMP,
          TextKind.DISTANT_TIMESTAMP,
          TextKind.LONG_TIMESTAMP,
          TextKind.ZONED_TIMESTAMP);

  private static final Set<TextKind> DATES = EnumSet.of(TextKind.DATE, TextKind.DISTANT_DATE);

  private static final Set<TextKind> DISTANT_TIMES =
      EnumSet.of(TextKind.DISTANT_DATE, TextKind.DISTANT_TIMESTAMP);

  /// The kinds of values that belong together.
  private static final List<Set<TextKind>> FAMILIES =
      List.of(NUMBERS, TIMES, EnumSet.of(TextKind.BOOLEAN), EnumSet.of(TextKind.TIME));

  CsvTypes {
    types = List.copyOf(types);
    textColumns = List.copyOf(textColumns);
  }

  /// A column that is text because of some of its values.
  ///
  /// @param type the type that most values have, or null if no one type holds them
  /// @param value the first value of another type, truncated if long
  /// @param row its row, counted from 1 after the header
  record TextColumn(String column, @Nullable String type, String value, long row) {

    /// Returns a sentence for the client.
    String sentence() {
      if (type == null) {
        return "Column %s is text: no other type holds \"%s\" in row %,d and the values before it"
            .formatted(ForeignDataException.excerpt(column), value, row);
      }
      return "Column %s is text: most values are of type %s, but row %,d has \"%s\""
          .formatted(ForeignDataException.excerpt(column), type, row, value);
    }
  }

  /// Returns the types of the options for the columns that they name, and types that hold all
  /// values of the sample for others.
  ///
  /// @param sample of each column
  static CsvTypes of(List<String> names, CsvOptions options, List<CsvKinds> sample) {
    List<ColumnType> types = new ArrayList<>();
    List<TextColumn> textColumns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      Map<TextKind, CsvKinds.Values> values = sample.get(i).values();
      ColumnType stated = options.types().get(name);
      ColumnType type = stated == null ? type(values.keySet(), options) : stated;
      types.add(type);
      if (stated == null && type.kind() == Kind.TEXT) {
        TextColumn column = textColumn(name, values, options);
        if (column != null) {
          textColumns.add(column);
        }
      }
    }
    return new CsvTypes(types, textColumns);
  }

  /// Returns the type that holds values of all these kinds.
  private static ColumnType type(Set<TextKind> kinds, CsvOptions options) {
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
    boolean iso = options.dateFormat() == null && options.timestampFormat() == null;
    boolean zoned = kinds.contains(TextKind.ZONED_TIMESTAMP);
    if (iso && !zoned && TIMES.containsAll(kinds)) {
      if (!kinds.contains(TextKind.LONG_TIMESTAMP)) {
        return ColumnType.TIMESTAMP;
      }
      return Collections.disjoint(kinds, DISTANT_TIMES)
          ? ColumnType.TIMESTAMP_NS
          : ColumnType.VARCHAR;
    }
    return ColumnType.VARCHAR;
  }

  private static @Nullable TextColumn textColumn(
      String name, Map<TextKind, CsvKinds.Values> values, CsvOptions options) {
    for (Set<TextKind> family : FAMILIES) {
      long all = 0;
      long converting = 0;
      Set<TextKind> present = EnumSet.noneOf(TextKind.class);
      CsvKinds.Values first = null;
      for (Map.Entry<TextKind, CsvKinds.Values> entry : values.entrySet()) {
        CsvKinds.Values found = entry.getValue();
        all += found.count();
        if (family.contains(entry.getKey())) {
          converting += found.count();
          present.add(entry.getKey());
        } else if (first == null || found.firstRow() < first.firstRow()) {
          first = found;
        }
      }
      if (first == null && present.size() > 1) {
        return untypedColumn(name, values, options);
      }
      if (first != null && converting > 0 && 2 * converting >= all) {
        ColumnType type = type(present, options);
        return type.kind() == Kind.TEXT
            ? null
            : new TextColumn(name, type.displayName(), first.firstValue(), first.firstRow());
      }
    }
    return null;
  }

  /// Returns a column of one family, with the first value that no type holds with those before it.
  private static TextColumn untypedColumn(
      String name, Map<TextKind, CsvKinds.Values> values, CsvOptions options) {
    List<Map.Entry<TextKind, CsvKinds.Values>> inOrder = new ArrayList<>(values.entrySet());
    inOrder.sort(Comparator.comparingLong(entry -> entry.getValue().firstRow()));
    Set<TextKind> kinds = EnumSet.noneOf(TextKind.class);
    CsvKinds.Values last = inOrder.getLast().getValue();
    for (Map.Entry<TextKind, CsvKinds.Values> entry : inOrder) {
      kinds.add(entry.getKey());
      if (kinds.size() > 1 && type(kinds, options).kind() == Kind.TEXT) {
        last = entry.getValue();
        break;
      }
    }
    return new TextColumn(name, null, last.firstValue(), last.firstRow());
  }
}
