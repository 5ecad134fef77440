package dev.quiver.formats.csv;

import dev.quiver.formats.Advice;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.ColumnType.Kind;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.value.KindTypes;
import dev.quiver.formats.value.TextKind;
import dev.quiver.formats.value.ValueKinds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types of the columns of a file.
///
/// @param types by the index of the column
/// @param advice about columns that are text because of some of their values, or of their form
record CsvTypes(List<ColumnType> types, List<Advice> advice) {

  private static final Set<TextKind> OPEN_DATES =
      EnumSet.of(TextKind.DAY_FIRST_DATE, TextKind.MONTH_FIRST_DATE, TextKind.EITHER_DATE);

  private static final Set<ColumnType> ZONED =
      Set.of(ColumnType.TIMESTAMPTZ, ColumnType.TIMESTAMPTZ_NS);

  private static final Set<TextKind> TIMES_WITHOUT_ZONE =
      EnumSet.of(
          TextKind.DATE,
          TextKind.DISTANT_DATE,
          TextKind.TIMESTAMP,
          TextKind.DISTANT_TIMESTAMP,
          TextKind.LONG_TIMESTAMP);

  private static final Set<TextKind> PLAIN_NUMBERS =
      EnumSet.of(
          TextKind.INTEGER, TextKind.LONG_INTEGER, TextKind.LARGE_INTEGER, TextKind.FRACTION);

  CsvTypes {
    types = List.copyOf(types);
    advice = List.copyOf(advice);
  }

  /// Returns whether values have an offset from UTC.
  static boolean isZoned(ColumnType type) {
    return ZONED.contains(type);
  }

  /// Returns the types of the options for the columns that they name, and types that hold all
  /// values of the sample for others.
  ///
  /// @param sample of each column
  static CsvTypes of(List<String> names, CsvOptions options, List<ValueKinds> sample) {
    boolean iso = options.dateFormat() == null && options.timestampFormat() == null;
    List<ColumnType> types = new ArrayList<>();
    List<Advice> advice = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      Map<TextKind, ValueKinds.Values> values = sample.get(i).values();
      ColumnType stated = options.types().get(name);
      if (stated != null) {
        types.add(stated.equals(ColumnType.GROUPED) ? grouped(values.keySet()) : stated);
        if (options.table() != null && ZONED.contains(stated) && hasTimesWithoutZone(values)) {
          advice.add(
              new Advice(
                  "Column %s has dates or times without a time zone, which are taken for UTC"
                      .formatted(ForeignDataException.excerpt(name))));
        }
        continue;
      }
      ColumnType type = KindTypes.of(values.keySet(), iso);
      types.add(type);
      if (type.kind() == Kind.TEXT) {
        Advice found = advice(name, values, options, iso);
        if (found != null) {
          advice.add(found);
        }
      }
    }
    return new CsvTypes(types, advice);
  }

  private static boolean hasTimesWithoutZone(Map<TextKind, ValueKinds.Values> values) {
    return values.keySet().stream().anyMatch(TIMES_WITHOUT_ZONE::contains);
  }

  /// Returns the type of a column of numbers in groups: whole ones, or else doubles.
  private static ColumnType grouped(Set<TextKind> kinds) {
    return kinds.contains(TextKind.FRACTION) || kinds.contains(TextKind.GROUPED_FRACTION)
        ? ColumnType.GROUPED_FRACTIONS
        : ColumnType.GROUPED;
  }

  /// Returns the advice about a column that is text, or null if it should be.
  private static @Nullable Advice advice(
      String name, Map<TextKind, ValueKinds.Values> values, CsvOptions options, boolean iso) {
    long all = values.values().stream().mapToLong(ValueKinds.Values::count).sum();
    if (isMost(values, OPEN_DATES, all)) {
      return dates(name, values);
    }
    ValueKinds.Values percent = values.get(TextKind.PERCENT);
    if (percent != null && isMost(values, EnumSet.of(TextKind.PERCENT), all)) {
      return typed(name, percent, "percentages", "percent");
    }
    ValueKinds.Values grouped =
        values.getOrDefault(TextKind.GROUPED_FRACTION, values.get(TextKind.GROUPED_INTEGER));
    ValueKinds.Values other = values.get(TextKind.OTHER_NUMBER);
    if (grouped != null
        && isMost(values, with(TextKind.GROUPED_INTEGER, TextKind.GROUPED_FRACTION), all)) {
      return typed(name, grouped, "numbers in groups of thousands", "grouped");
    }
    if (other != null && isMost(values, with(TextKind.OTHER_NUMBER), all)) {
      String decimal = options.decimal().equals(".") ? "," : ".";
      return new Advice(
          "Column %s is text: it has numbers such as \"%s\"; the parameter %sdecimal=%s reads them"
              .formatted(
                  ForeignDataException.excerpt(name),
                  other.firstValue(),
                  CsvOptions.PREFIX,
                  decimal),
          CsvOptions.PREFIX + "decimal",
          decimal,
          name);
    }
    KindTypes.Misfit misfit = KindTypes.misfit(values, iso);
    return misfit == null ? null : misfit(name, misfit, options.prefix());
  }

  private static Set<TextKind> with(TextKind... others) {
    EnumSet<TextKind> kinds = EnumSet.copyOf(PLAIN_NUMBERS);
    kinds.addAll(List.of(others));
    return kinds;
  }

  private static boolean isMost(
      Map<TextKind, ValueKinds.Values> values, Set<TextKind> kinds, long all) {
    long count = 0;
    for (Map.Entry<TextKind, ValueKinds.Values> entry : values.entrySet()) {
      count += kinds.contains(entry.getKey()) ? entry.getValue().count() : 0;
    }
    return count > 0 && 2 * count >= all;
  }

  private static Advice dates(String name, Map<TextKind, ValueKinds.Values> values) {
    ValueKinds.Values dayFirst = values.get(TextKind.DAY_FIRST_DATE);
    ValueKinds.Values monthFirst = values.get(TextKind.MONTH_FIRST_DATE);
    ValueKinds.Values either = values.get(TextKind.EITHER_DATE);
    String value = dayFirst == null && monthFirst != null ? "month-first" : "day-first";
    String example =
        dayFirst != null
            ? dayFirst.firstValue()
            : monthFirst != null
                ? monthFirst.firstValue()
                : either == null ? "" : either.firstValue();
    String choice =
        dayFirst == null && monthFirst == null
            ? "%1$sdates=day-first or %1$sdates=month-first".formatted(CsvOptions.PREFIX)
            : CsvOptions.PREFIX + "dates=" + value;
    return new Advice(
        "Column %s is text: it has dates such as \"%s\"; the parameter %s reads them"
            .formatted(ForeignDataException.excerpt(name), example, choice),
        CsvOptions.PREFIX + "dates",
        value,
        name);
  }

  private static Advice typed(String name, ValueKinds.Values values, String what, String type) {
    String value = OptionValues.typed(name, type);
    return new Advice(
        "Column %s is text: it has %s such as \"%s\"; the parameter %stypes=%s reads them"
            .formatted(
                ForeignDataException.excerpt(name),
                what,
                values.firstValue(),
                CsvOptions.PREFIX,
                ForeignDataException.excerpt(value)),
        CsvOptions.PREFIX + "types",
        value,
        name);
  }

  /// @param prefix the start of the names of parameters
  private static Advice misfit(String name, KindTypes.Misfit misfit, String prefix) {
    String word = misfit.value();
    if (misfit.type() == null
        || !CsvFile.NULL_WORDS.contains(word.strip().toLowerCase(Locale.ROOT))) {
      return new Advice(misfit.sentence(name));
    }
    return new Advice(
        "%s; the parameter %snull=%s makes it null".formatted(misfit.sentence(name), prefix, word),
        prefix + "null",
        word,
        name);
  }
}
