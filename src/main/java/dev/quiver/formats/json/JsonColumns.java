package dev.quiver.formats.json;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.SqlLiterals;
import dev.quiver.formats.TextTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The columns of a JSON file.
///
/// The engine infers `DOUBLE` for numbers that a double does not hold, and dates where the order of
/// day, month and year is a guess. Such columns are read as exact numbers, or as text.
///
/// @param types in the engine's words, by name
/// @param inferred the names of the columns whose types the options do not state
/// @param isInferred whether the engine infers all types
/// @param casts how columns that are read as text become their types, by name
/// @param order the names in the order of the rows
/// @param warnings sentences about columns that have other types than the engine infers
public record JsonColumns(
    SequencedMap<String, String> types,
    Set<String> inferred,
    boolean isInferred,
    Map<String, StrictCast> casts,
    List<String> order,
    List<String> warnings) {

  private static final Pattern UNCERTAIN = type("DOUBLE|DATE|TIMESTAMP");
  private static final Pattern DOUBLE = type("DOUBLE");
  private static final Pattern DATE = type("DATE|TIMESTAMP");

  private static final String TEXT = "VARCHAR";

  /// Strings in a JSON text.
  private static final String STRINGS = "'\"(?:[^\"\\\\]|\\\\.)*\"'";

  /// Integers from 9 * 10^15 on, and other numbers from 10^309 on.
  private static final String ROUNDED =
      "'(?:^|[^0-9.eE+-])-?(?:[0-9]{17,}|9[0-9]{15})(?:$|[^0-9.eE])"
          + "|[eE][+]?(?:309|3[1-9][0-9]|[4-9][0-9]{2}|[0-9]{4,})'";

  private static final String WHOLE = "'-?[0-9]{1,38}'";

  /// Strings that begin as a date without a year of four digits.
  private static final String AMBIGUOUS = "'\"[0-9]{1,2}-[0-9]{1,2}-[0-9]{1,4}[\" T]'";

  private static final int HAS_ROUNDED = 1;
  private static final int HAS_ONLY_WHOLE = 2;
  private static final int HAS_AMBIGUOUS = 4;

  /// Columns before their values are looked at.
  ///
  /// @param casts how the columns whose types the options state become them, by name
  JsonColumns(
      SequencedMap<String, String> types, Set<String> inferred, Map<String, StrictCast> casts) {
    this(types, inferred, casts.isEmpty(), casts, List.copyOf(types.keySet()), List.of());
  }

  /// Returns whether a column of the file has the name of a column with children, for which
  /// [#appendedTo] needs to know the fields of the file.
  public boolean hasNested(Schema dataset) {
    return dataset.fields().stream()
        .anyMatch(field -> !field.children().isEmpty() && inferred.contains(field.name()));
  }

  /// Returns the columns with the types of a dataset's columns of the same names, unless the
  /// options state others. If the names are the same, so is the order: objects have none.
  ///
  /// @param read the fields of the file, or nothing unless [#hasNested] says so
  JsonColumns appendedTo(Schema dataset, List<Field> read) {
    SequencedMap<String, String> newTypes = new LinkedHashMap<>(types);
    Set<String> newInferred = new LinkedHashSet<>(inferred);
    Map<String, StrictCast> newCasts = new LinkedHashMap<>(casts);
    Map<String, ColumnType> scalars = TextTypes.of(dataset);
    for (Field field : dataset.fields()) {
      String name = field.name();
      ColumnType scalar = scalars.get(name);
      String type = null;
      if (!inferred.contains(name)) {
        continue;
      }
      if (JsonTypes.isJson(field)) {
        type = "JSON";
      } else if (scalar != null) {
        StrictCast cast = StrictCast.ofJson(scalar);
        type = cast.read().sql();
        newCasts.put(name, cast);
      } else if (!field.children().isEmpty()) {
        type =
            read.stream()
                .filter(found -> found.name().equals(name))
                .findFirst()
                .map(found -> JsonTypes.sql(found, field))
                .orElse(null);
      }
      if (type != null) {
        newTypes.put(name, type);
        newInferred.remove(name);
      }
    }
    List<String> names = dataset.fields().stream().map(Field::name).toList();
    boolean same = names.size() == types.size() && types.keySet().containsAll(names);
    return new JsonColumns(
        newTypes,
        newInferred,
        isInferred && newInferred.size() == inferred.size(),
        newCasts,
        same ? names : order,
        warnings);
  }

  /// Returns the expressions for the columns, in the order of the rows.
  String expressions() {
    List<String> names = List.copyOf(types.keySet());
    return order.stream()
        .map(name -> {
          StrictCast cast = casts.get(name);
          String column = SqlLiterals.identifier(name);
          return cast == null ? column : cast.sql(names.indexOf(name), column);
        })
        .collect(Collectors.joining(", "));
  }

  /// Returns a pattern of names of types as they appear alone or in other types, where the names of
  /// fields precede them.
  private static Pattern type(String names) {
    return Pattern.compile("(?<=^| )(?:" + names + ")(?=[,)\\[]|$)");
  }

  /// Returns the names of the columns whose inferred types may change values.
  List<String> uncertain() {
    return types.entrySet().stream()
        .filter(column -> inferred.contains(column.getKey()))
        .filter(column -> UNCERTAIN.matcher(column.getValue()).find())
        .map(SequencedMap.Entry::getKey)
        .toList();
  }

  /// Returns the statement whose result has a number for each column: the sum of what its values
  /// have.
  ///
  /// @param relation the file with these columns as JSON
  static String valuesSql(List<String> names, String relation) {
    return names.stream()
        .map(JsonColumns::valuesSql)
        .collect(Collectors.joining(", ", "SELECT ", " FROM " + relation));
  }

  private static String valuesSql(String name) {
    String text = SqlLiterals.identifier(name) + "::VARCHAR";
    return "("
        + "coalesce(bool_or(regexp_matches(regexp_replace(%s, %s, '', 'g'), %s)), false)::INTEGER * %d"
            .formatted(text, STRINGS, ROUNDED, HAS_ROUNDED)
        + " + coalesce(bool_and(regexp_full_match(%s, %s)), false)::INTEGER * %d"
            .formatted(text, WHOLE, HAS_ONLY_WHOLE)
        + " + coalesce(bool_or(regexp_matches(%s, %s)), false)::INTEGER * %d"
            .formatted(text, AMBIGUOUS, HAS_AMBIGUOUS)
        + ")::BIGINT";
  }

  /// Returns the columns with types that change no value.
  ///
  /// @param values all batches of the result of [JsonFile#valuesSql]
  public JsonColumns exact(List<RecordBatch> values) {
    List<String> names = uncertain();
    SequencedMap<String, String> exact = new LinkedHashMap<>(types);
    List<String> sentences = new ArrayList<>();
    for (RecordBatch batch : values) {
      for (int i = 0; i < batch.length() * names.size(); i++) {
        long has = ((Array.FixedWidth) Array.of(batch.columns().get(i))).integer(0);
        exact.computeIfPresent(names.get(i), (name, type) -> exact(name, type, has, sentences));
      }
    }
    return new JsonColumns(
        exact, inferred, isInferred && sentences.isEmpty(), casts, order, sentences);
  }

  private static String exact(String name, String inferred, long has, List<String> sentences) {
    String column = "Column " + ForeignDataException.excerpt(name);
    String type = inferred;
    if ((has & HAS_ROUNDED) != 0 && DOUBLE.matcher(type).find()) {
      boolean isWhole = (has & HAS_ONLY_WHOLE) != 0;
      type = isWhole ? ColumnType.DECIMAL_38.sql() : DOUBLE.matcher(type).replaceAll(TEXT);
      sentences.add(
          "%s has numbers that float64 would round; it is read as %s"
              .formatted(column, isWhole ? ColumnType.DECIMAL_38.displayName() : "text"));
    }
    if ((has & HAS_AMBIGUOUS) != 0 && DATE.matcher(type).find()) {
      type = DATE.matcher(type).replaceAll(TEXT);
      sentences.add(
          "%s has dates that do not begin with a year of four digits; they are read as text"
              .formatted(column));
    }
    return type;
  }
}
