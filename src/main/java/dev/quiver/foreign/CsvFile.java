package dev.quiver.foreign;

import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import dev.quiver.input.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A CSV file whose header is known, and the statements that read it.
///
/// 1. [#open] reads the header.
/// 2. [#sampleSql] tells of which kinds the values of the first rows are. [#types] chooses the
///    types of columns from the results.
/// 3. [#sql] reads all rows. Its columns have other names, which [#schema] replaces.
///
/// An error of either statement goes to [#error].
///
/// @param path the file, as the engine names it
/// @param options with a delimiter
/// @param names of the columns, which may repeat or be empty
/// @param skip lines before the header, or before the first row if there is no header
/// @param lines decide on how the engine reads the file
public record CsvFile(
    String path, CsvOptions options, List<String> names, int skip, CsvLines lines) {

  /// The literals for ends of lines, in which the engine itself knows escapes.
  private static final Map<String, String> LINE_ENDS = Map.of("\n", "'\\n'", "\r\n", "'\\r\\n'");

  /// The bytes that the engine reads at a time, of which it holds several. By default they are 16
  /// of the longest lines.
  static final int PART_BYTE_SIZE = 2 * CsvRecords.LINE_BYTE_SIZE_MAXIMUM;

  private static final int COLUMNS_MAXIMUM = 10_000;
  private static final int SAMPLE_ROWS_MAXIMUM = 20_480;
  private static final int SAMPLE_ROWS_MINIMUM = 100;
  private static final int SAMPLE_VALUES = 2_000_000;

  /// The number of columns of one statement about the first rows. The engine has several vectors of
  /// 2,048 texts for each, also for fewer rows.
  private static final int SAMPLE_COLUMNS = 256;

  public CsvFile {
    names = List.copyOf(names);
  }

  /// Reads the header of a file, finds its delimiter if the options leave that open, and looks
  /// through it for lines within quotes.
  ///
  /// @param path the file, as the engine names it
  /// @param contents gives the file from its start, each time
  /// @throws InvalidOptionException if the options name columns that the file lacks
  /// @throws ForeignDataException if the file has no header, or a quote does not end
  public static CsvFile open(String path, CsvOptions options, Contents contents)
      throws IOException {
    CsvOptions delimited =
        options.delimiter() == null
            ? options.withDelimiter(CsvDelimiter.of(contents, options))
            : options;
    try (InputStream file = contents.open()) {
      CsvRecords records = new CsvRecords(file, delimited, delimited.fieldDelimiter());
      int skip = records.skip();
      long firstLine = records.fileLine();
      List<String> first = records.next();
      if (first == null) {
        throw ForeignDataException.of(
            options.header()
                ? "Expected a row with the names of columns but found no rows"
                : "Expected rows but found none");
      }
      if (first.stream().anyMatch(name -> name.contains(CsvRecords.REPLACEMENT))) {
        throw ForeignErrors.encoding(options.encoding(), firstLine);
      }
      if (first.size() > COLUMNS_MAXIMUM) {
        throw ForeignDataException.of(
            "Expected at most %,d columns but found %,d".formatted(COLUMNS_MAXIMUM, first.size()));
      }
      List<String> names =
          options.header()
              ? first
              : IntStream.range(0, first.size()).mapToObj(i -> "column" + i).toList();
      requireKnown(options.types(), names);
      CsvLines lines = CsvLines.of(contents, delimited, records.lineEnd());
      if (records.hiddenLineBreaks() > 0 && skip == 0 && !options.header()) {
        throw ForeignDataException.of(
            "Expected a first field without line breaks after a byte order mark but found some",
            1L,
            null,
            null);
      }
      return new CsvFile(path, delimited, names, skip + records.hiddenLineBreaks(), lines);
    }
  }

  /// Returns the same file, whose columns have the types of a dataset's columns of the same names
  /// unless the options state others.
  public CsvFile appendedTo(Schema dataset) {
    Map<String, ColumnType> types = new HashMap<>(TextTypes.of(dataset));
    if (options.timestampFormat() != null) {
      types.replaceAll((_, type) -> type.withoutNanoseconds());
    }
    types.keySet().retainAll(names);
    types.putAll(options.types());
    return new CsvFile(path, options.withTypes(types), names, skip, lines);
  }

  /// Returns a sentence for the client if the only name has what may be delimiters, or null.
  public @Nullable String delimiterWarning() {
    if (names.size() != 1) {
      return null;
    }
    for (String other : List.of(";", "\t", "|", ",")) {
      if (names.getFirst().contains(other)) {
        return "The only column has the name \"%s\"; the parameter %sdelimiter says what is between fields"
            .formatted(ForeignDataException.excerpt(names.getFirst()), CsvOptions.PREFIX);
      }
    }
    return null;
  }

  /// A file that can be read several times.
  @FunctionalInterface
  public interface Contents {
    InputStream open() throws IOException;
  }

  private static void requireKnown(Map<String, ColumnType> types, List<String> names) {
    Set<String> known = new HashSet<>(names);
    for (String name : types.keySet()) {
      if (!known.contains(name)) {
        throw InvalidOptionException.value(
            CsvOptions.PREFIX + "types",
            "the name of a column, such as \"%s\","
                .formatted(ForeignDataException.excerpt(NearestName.of(name, names))),
            name);
      }
    }
  }

  /// Returns the statements about the first rows, whose results [#types] reads together. Each is
  /// about some of the columns, and has a short result.
  public List<String> sampleSql() {
    return IntStream.iterate(0, first -> first < names.size(), first -> first + SAMPLE_COLUMNS)
        .mapToObj(first -> sampleSql(first, Math.min(first + SAMPLE_COLUMNS, names.size())))
        .toList();
  }

  private String sampleSql(int first, int end) {
    int rows = options.sample();
    if (rows == 0) {
      rows = Math.clamp(SAMPLE_VALUES / names.size(), SAMPLE_ROWS_MINIMUM, SAMPLE_ROWS_MAXIMUM);
    }
    String columns =
        IntStream.range(first, end).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
    return """
    WITH sample AS (
      SELECT row_number() OVER () AS r, * FROM (SELECT %4$s FROM %2$s LIMIT %3$d)
    ), cells AS (
      SELECT r, unnest([%4$s]) AS v, unnest(range(%5$d, %6$d)) AS c FROM sample
    ), kinds AS (
      SELECT c, r, v, %7$s AS k FROM (SELECT c, r, v, trim(v) AS t FROM cells WHERE v IS NOT NULL)
    )
    SELECT c, k, count(*), min(r), arg_min(left(v, %1$d), r) FROM kinds GROUP BY c, k ORDER BY c, k
    """
        .formatted(
            ForeignDataException.VALUE_LENGTH_MAXIMUM,
            reader(names.stream().map(_ -> ColumnType.VARCHAR).toList()),
            rows,
            columns,
            first,
            end,
            TextKind.sql(options));
  }

  /// Returns what the results of [#sampleSql] are added to.
  public CsvKinds kinds() {
    return new CsvKinds(names.size());
  }

  /// Returns the types of the columns.
  ///
  /// @param sample the kinds in the results of all statements of [#sampleSql]
  public CsvTypes types(CsvKinds sample) {
    return CsvTypes.of(this, sample);
  }

  /// Returns the statement that reads all rows, integers as texts: the worker's cast to [#schema]
  /// is exact and faster than expressions of the engine, and takes no memory for each of them.
  public String sql(CsvTypes types) {
    List<ColumnType> read = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      ColumnType type = types.types().get(i);
      StrictCast cast =
          StrictCast.of(
              type.kind() == ColumnType.Kind.INTEGER ? ColumnType.VARCHAR : type, options);
      read.add(cast.read());
      columns.add(cast.sql(i));
    }
    return "SELECT " + String.join(", ", columns) + " FROM " + reader(read);
  }

  /// Returns the schema of the rows with the names of the file, to which the rows of the statement
  /// that reads all are cast.
  ///
  /// @param result the schema of that statement
  public Schema schema(CsvTypes types, Schema result) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      ColumnType type = types.types().get(i);
      Field field = result.fields().get(i).withName(names.get(i));
      fields.add(
          type.kind() == ColumnType.Kind.INTEGER
              ? new Field(
                  field.name(),
                  field.nullable(),
                  type.integer(),
                  /* dictionary= */ null,
                  List.of(),
                  field.metadata())
              : field);
    }
    return result.withFields(fields);
  }

  /// Returns the indices of the columns that are integers since those of the sample are. A later
  /// one with a leading zero or plus is an error, as it would lose that.
  public List<Integer> inferredIntegers(CsvTypes types) {
    return IntStream.range(0, names.size())
        .filter(i ->
            types.types().get(i).kind() == ColumnType.Kind.INTEGER
                && !options.types().containsKey(names.get(i)))
        .boxed()
        .toList();
  }

  /// Returns the exception for an error of the engine about a statement of this file.
  public ForeignDataException error(String message) {
    return ForeignErrors.csv(message, this);
  }

  /// Returns an error of [#error] with the line of the file.
  public ForeignDataException located(ForeignDataException error, Contents contents)
      throws IOException {
    return lines.located(error, contents, options);
  }

  /// Returns the statement that finds the row of a value that [#error] names without a line, or
  /// null if it has one. Its result goes to [ForeignDataException#located].
  public @Nullable String rowSql(ForeignDataException error) {
    String value = error.value();
    String named = error.column();
    int column = named == null ? -1 : names.indexOf(named);
    if (error.line() != null || value == null || column < 0) {
      return null;
    }
    return ForeignDataException.rowSql(
        "c" + column, reader(names.stream().map(_ -> ColumnType.VARCHAR).toList()), value);
  }

  private String reader(List<ColumnType> types) {
    StringBuilder columns = new StringBuilder("{");
    for (int i = 0; i < types.size(); i++) {
      columns.append(i == 0 ? "" : ", ").append("'c").append(i).append("': ");
      columns.append(SqlLiterals.literal(types.get(i).sql()));
    }
    columns.append('}');
    // The strict mode is the default. If it is stated beside the line end, no rows are read.
    return "read_csv("
        + SqlLiterals.literal(path)
        + ", auto_detect = false, null_padding = false, ignore_errors = false"
        + ", allow_quoted_nulls = false, hive_partitioning = false, union_by_name = false"
        + ", filename = false, compression = 'none'"
        // The engine then keeps what it has read of the file, as far as its memory has room.
        + (lines.inOrder() ? ", parallel = false" : "")
        + ", max_line_size = "
        + CsvRecords.LINE_BYTE_SIZE_MAXIMUM
        + ", buffer_size = "
        + PART_BYTE_SIZE
        + (LINE_ENDS.containsKey(lines.end()) ? ", new_line = " + LINE_ENDS.get(lines.end()) : "")
        + option("delim", options.fieldDelimiter())
        + option("quote", options.quote())
        + option("escape", options.escape())
        + option("comment", options.comment())
        + option("encoding", options.encoding())
        + option("decimal_separator", options.decimal())
        + option("dateformat", options.dateFormat() == null ? "%Y-%m-%d" : options.dateFormat())
        + option("timestampformat", options.timestampFormat())
        + ", header = "
        + options.header()
        + ", skip = "
        + skip
        + ", nullstr = "
        + SqlLiterals.list(options.nulls())
        + ", columns = "
        + columns
        + ")";
  }

  private static String option(String name, @Nullable String value) {
    return value == null ? "" : ", " + name + " = " + SqlLiterals.literal(value);
  }
}
