package dev.quiver.formats.json;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.NearestName;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.SqlLiterals;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A JSON file, and the statements that read it.
///
/// All its objects decide on the columns: [#columnsSql] comes first, then [#valuesSql], and then
/// [#sql].
///
/// @param path the file, as the engine names it
public record JsonFile(String path, JsonOptions options) {

  /// The name by which the engine calls values other than objects, and objects without keys.
  private static final String WHOLE_VALUES = "json";

  private static final Pattern NUMBERED = Pattern.compile("(.*)_\\d+", Pattern.DOTALL);

  /// Requires that a file that begins with an array also ends with one. The engine takes an array
  /// that breaks off after a comma for a whole one.
  ///
  /// @param start the first bytes of the file that are not all blank
  /// @param end the last ones
  /// @throws ForeignDataException if the file is truncated
  public static void requireWhole(byte[] start, byte[] end) {
    String first = new String(start, StandardCharsets.UTF_8).stripLeading();
    String last = new String(end, StandardCharsets.UTF_8).stripTrailing();
    if (first.startsWith("[") && !last.endsWith("]")) {
      throw ForeignDataException.of(
          "Expected the end of an array but found the end of the file: it is truncated");
    }
  }

  /// Returns whether bytes have nothing but what may be around a value.
  public static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  /// Returns the statement about the columns that the file has.
  public String columnsSql() {
    return "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM "
        + relation(Map.of())
        + ")";
  }

  /// Returns the columns with the types that the options state, or else that the engine infers.
  ///
  /// @param described all batches of the result of [#columnsSql]
  /// @throws InvalidOptionException if the options name columns that the file lacks
  public JsonColumns columns(List<RecordBatch> described) {
    SequencedMap<String, String> types = new LinkedHashMap<>();
    for (RecordBatch batch : described) {
      Array.Bytes names = (Array.Bytes) Array.of(batch.columns().get(0));
      Array.Bytes found = (Array.Bytes) Array.of(batch.columns().get(1));
      for (long i = 0; i < batch.length(); i++) {
        types.put(names.text(i), found.text(i));
      }
    }
    SequencedMap<String, String> inferred = new LinkedHashMap<>(types);
    Map<String, StrictCast> casts = new LinkedHashMap<>();
    options
        .types()
        .forEach((name, type) -> {
          StrictCast cast = StrictCast.ofJson(type);
          if (types.replace(name, cast.read().sql()) == null) {
            throw InvalidOptionException.value(
                JsonOptions.PREFIX + "types",
                types.isEmpty() || hasOnlyWholeValues(types)
                    ? "objects with such a key"
                    : "the name of a column, such as \"%s\","
                        .formatted(
                            ForeignDataException.excerpt(NearestName.of(name, types.keySet()))),
                name);
          }
          inferred.remove(name);
          casts.put(name, cast);
        });
    if (!options.types().isEmpty()) {
      String unnamed = unnamed(types.keySet());
      if (unnamed != null) {
        throw InvalidOptionException.value(
            JsonOptions.PREFIX + "types",
            "no types for a file whose keys differ in case or in a number alone,",
            unnamed);
      }
    }
    return new JsonColumns(types, inferred.keySet(), casts);
  }

  private static boolean hasOnlyWholeValues(Map<String, String> types) {
    return types.size() == 1 && types.containsKey(WHOLE_VALUES);
  }

  /// Returns the statement whose result [#requireObjects] checks, or null if the columns are keys
  /// of objects for certain.
  public @Nullable String objectsSql(JsonColumns columns) {
    return hasOnlyWholeValues(columns.types())
        ? """
        SELECT bool_or(json_exists(json, '$.json')), min(r) FILTER (k <> 'OBJECT'),
          arg_min(left(json::VARCHAR, %d), r) FILTER (k <> 'OBJECT')
        FROM (SELECT row_number() OVER () AS r, json_type(json) AS k, json
          FROM read_json_objects(%s, format = %s, ignore_errors = false, compression = 'none'))
        """
            .formatted(
                ForeignDataException.VALUE_LENGTH_MAXIMUM,
                SqlLiterals.literal(path),
                SqlLiterals.literal(options.layout()))
        : null;
  }

  /// Requires that all values of the file are objects, and that they have keys.
  ///
  /// @param found all batches of the result of [#objectsSql]
  /// @throws ForeignDataException if one is another value, or no object has a key
  public static boolean requireObjects(List<RecordBatch> found) {
    boolean hasKey = false;
    for (RecordBatch batch : found) {
      Array.Bool keys = (Array.Bool) Array.of(batch.columns().get(0));
      Array.FixedWidth rows = (Array.FixedWidth) Array.of(batch.columns().get(1));
      Array.Bytes values = (Array.Bytes) Array.of(batch.columns().get(2));
      for (long i = 0; i < batch.length(); i++) {
        if (!rows.isNull(i)) {
          throw ForeignDataException.of(
              "Expected an object but found %s in record %,d"
                  .formatted(values.text(i), rows.integer(i)));
        }
        hasKey |= !keys.isNull(i) && keys.get(i);
      }
    }
    if (!hasKey) {
      throw ForeignDataException.of("Expected objects with keys but found none");
    }
    return true;
  }

  /// Returns the columns for rows that are appended to a dataset: with the types of its columns of
  /// the same names, unless the options state others.
  ///
  /// @param read the fields of the file, or nothing unless [JsonColumns#hasNested] says so
  public JsonColumns appendedTo(Schema dataset, JsonColumns columns, List<Field> read) {
    return unnamed(columns.types().keySet()) == null ? columns.appendedTo(dataset, read) : columns;
  }

  /// Returns the statement that looks for values that the inferred types would change.
  ///
  /// @return null if there can be none
  public @Nullable String valuesSql(JsonColumns columns) {
    Map<String, String> texts = new LinkedHashMap<>();
    columns.uncertain().forEach(name -> texts.put(name, "JSON"));
    return texts.isEmpty() || unnamed(columns.types().keySet()) != null
        ? null
        : JsonColumns.valuesSql(columns.uncertain(), relation(texts));
  }

  /// Returns the statement that reads all rows.
  public String sql(JsonColumns columns) {
    // The engine finds the same types again.
    return "SELECT "
        + (columns.isInferred() ? "*" : columns.expressions())
        + " FROM "
        + relation(columns.isInferred() ? Map.of() : columns.types());
  }

  /// Returns a name that is not a key of the file, or null if all are. Of keys that differ in case
  /// alone, the engine calls the second one by a name such as `a_1`.
  private static @Nullable String unnamed(Set<String> names) {
    ColumnNames distinct = new ColumnNames();
    Set<String> lowerCase = new HashSet<>();
    names.forEach(name -> lowerCase.add(name.toLowerCase(Locale.ROOT)));
    for (String name : names) {
      Matcher numbered = NUMBERED.matcher(name.toLowerCase(Locale.ROOT));
      if (name.isEmpty()
          || !distinct.next(name).equals(name)
          || numbered.matches() && lowerCase.contains(numbered.group(1))) {
        return name;
      }
    }
    return null;
  }

  /// Returns the exception for an error of the engine about a statement of this file.
  public ForeignDataException error(String message) {
    return ForeignErrors.json(message, List.of());
  }

  /// Returns the exception for an error of the engine about the statement that reads all rows.
  public ForeignDataException error(String message, JsonColumns columns) {
    return ForeignErrors.json(message, List.copyOf(columns.types().keySet()));
  }

  /// Returns the statement that finds the row of a value in a column that was read as text, or null
  /// for another error. Its result goes to [ForeignDataException#located].
  public @Nullable String rowSql(ForeignDataException error, JsonColumns columns) {
    String value = error.value();
    String column = error.column();
    return value == null || column == null || !columns.casts().containsKey(column)
        ? null
        : ForeignDataException.rowSql(
            SqlLiterals.identifier(column), relation(Map.of(column, "VARCHAR")), value);
  }

  private String relation(Map<String, String> types) {
    List<String> columns = new ArrayList<>();
    types.forEach(
        (name, type) -> columns.add(SqlLiterals.literal(name) + ": " + SqlLiterals.literal(type)));
    return "read_json("
        + SqlLiterals.literal(path)
        + ", format = "
        + SqlLiterals.literal(options.layout())
        + ", sample_size = -1, map_inference_threshold = -1, maximum_depth = "
        + options.depth()
        + ", ignore_errors = false, hive_partitioning = false, union_by_name = false"
        + ", filename = false, compression = 'none'"
        + (columns.isEmpty() ? "" : ", columns = {" + String.join(", ", columns) + "}")
        + ")";
  }
}
