package dev.quiver.formats.csv;

import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.transform.AppendedTypes;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.FileContents;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.SkippedRows;
import dev.quiver.formats.TextTypes;
import dev.quiver.formats.value.KindParser;
import dev.quiver.formats.value.TextKind;
import dev.quiver.formats.value.ValueKinds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A CSV file whose columns are known, from its header and its first rows. Shared by threads.
public final class CsvFile {

  public static final int COLUMNS_MAXIMUM = 10_000;

  /// The words that programs write where a value is missing, in lower case.
  static final Set<String> NULL_WORDS =
      Set.of(
          "na", "n/a", "#n/a", "#na", "#nv", "null", "none", "nil", "nan", "-", "--", ".", "?",
          "\\n", "missing", "unknown");

  /// The rows that decide on the types of few columns.
  public static final int SAMPLE_ROWS_MAXIMUM = 20_480;

  private static final int SAMPLE_ROWS_MINIMUM = 100;
  private static final int SAMPLE_VALUES = 2_000_000;

  private final CsvFindings findings;
  private final CsvText text;
  private final CsvOptions options;
  private final List<String> names;
  private final CsvTypes types;
  private final Schema read;
  private final Schema schema;
  private final boolean isAppended;

  private CsvFile(
      CsvFindings findings, CsvOptions options, List<String> names, @Nullable Schema dataset)
      throws IOException {
    this.findings = findings;
    this.text = findings.text();
    this.options = options;
    this.names = names;
    this.types = CsvTypes.of(names, options, kinds());
    this.read = Schema.of().withFields(CsvColumns.fields(names, types.types()));
    this.isAppended = dataset != null;
    this.schema = dataset == null ? read : AppendedTypes.of(read, read, dataset).schema();
  }

  /// Reads the header and the first rows, and finds what the options leave open.
  ///
  /// @param contents gives the file from its start, each time
  /// @param dataset to which the rows are appended, or null. The columns have the types of its
  ///   columns of the same names, unless the options state others, and the options of its last
  ///   upload are tried first
  /// @throws InvalidOptionException if the options name columns that the file lacks
  /// @throws ForeignDataException if the file has no header, or if its first rows are not as they
  ///   should be
  public static CsvFile open(
      FileContents contents, CsvOptions options, @Nullable AppendedDataset dataset)
      throws IOException {
    CsvFindings findings = CsvFinder.find(contents, options, dataset);
    CsvOptions complete = findings.options();
    List<String> names = CsvNames.of(findings);
    CsvNames.requireKnown(options, names);
    Schema schema = dataset == null ? null : dataset.schema();
    try {
      return new CsvFile(
          findings,
          schema == null ? complete : complete.withTypes(types(complete, names, schema)),
          names,
          schema);
    } catch (ForeignDataException e) {
      throw findings.mayBeWide() ? CsvErrors.withWideHint(e) : e;
    }
  }

  /// Returns the types of the dataset's columns, and the types that the options state.
  private static Map<String, ColumnType> types(
      CsvOptions options, List<String> names, Schema dataset) {
    Map<String, ColumnType> stored = TextTypes.of(dataset);
    Map<String, ColumnType> types = new HashMap<>(stored);
    options
        .types()
        .forEach((name, type) -> {
          boolean hasFractions =
              type.equals(ColumnType.GROUPED) && ColumnType.DOUBLE.equals(stored.get(name));
          types.put(name, hasFractions ? ColumnType.GROUPED_FRACTIONS : type);
        });
    types.keySet().retainAll(new HashSet<>(names));
    return types;
  }

  public List<String> names() {
    return names;
  }

  /// Returns whether all columns have names of a dataset.
  public boolean hasOnlyNamesOf(Schema dataset) {
    return dataset.fields().stream()
        .map(Field::name)
        .collect(Collectors.toSet())
        .containsAll(names);
  }

  /// Returns the schema of the rows.
  public Schema schema() {
    return schema;
  }

  /// Returns whether every batch is valid at the highest level. Offsets and bitmaps are made here.
  /// A text is a part of a block of UTF-8, between characters, and other values were parsed into
  /// the range of their type. Casts are another matter: a dataset may forbid nulls, for example.
  public boolean makesValidBatches() {
    return schema.equals(read);
  }

  /// Returns warnings about what was found, and about columns that may have an unintended type.
  public List<Advice> advice() {
    List<Advice> advice = new ArrayList<>(findings.advice());
    advice.addAll(types.advice());
    if (names.size() == 1 && options.table() == null) {
      for (String other : List.of(";", "\t", "|", ",")) {
        if (names.getFirst().contains(other)) {
          advice.add(
              new Advice(
                  "The only column has the name \"%s\"; the parameter %sdelimiter says what is between fields"
                      .formatted(ForeignDataException.excerpt(names.getFirst()), options.prefix()),
                  options.prefix() + "delimiter",
                  other,
                  /* column= */ null));
          break;
        }
      }
    }
    return advice;
  }

  /// Returns the options by which the file is read, those that were found included. Types that only
  /// a dataset has are left out, and so are those of columns that share a name, and all if there
  /// are more than options may have.
  public List<FileOption> options() {
    List<FileOption> all = findings.fileOptions();
    Map<String, Integer> counts = new HashMap<>();
    names.forEach(name -> counts.merge(name, 1, Integer::sum));
    int typeCount = names.size() > OptionValues.TYPES_MAXIMUM ? 0 : names.size();
    for (int i = 0; i < typeCount; i++) {
      ColumnType type = types.types().get(i);
      if (type.isNamed() && counts.getOrDefault(names.get(i), 0) == 1) {
        all.add(FileOption.ofType(options.prefix(), names.get(i), type));
      }
    }
    return all;
  }

  /// Returns whether the options of the dataset's last upload read the file.
  public boolean isReadAsLastUpload() {
    return findings.found().containsKey(CsvLastUpload.FOUND);
  }

  /// Returns what was found rather than stated, by name.
  public Map<String, Object> found() {
    return findings.found();
  }

  /// Returns the parameters by which another file can be read as this one is.
  public FileParameters parameters() {
    return findings.parameters();
  }

  /// Begins to read all rows.
  ///
  /// @param scratchFolder for working memory that is not to be had otherwise
  public CsvReader read(CpuPool pool, Path scratchFolder) throws IOException {
    return read(pool, scratchFolder, Long.MAX_VALUE);
  }

  /// Begins to read the first rows. What follows is not looked at.
  ///
  /// @param scratchFolder for working memory that is not to be had otherwise
  public CsvReader read(CpuPool pool, Path scratchFolder, long rows) throws IOException {
    List<CsvColumn> columns = CsvColumns.of(read.fields(), types.types(), options);
    return new CsvReader(this, columns, Casts.of(read, schema), pool, scratchFolder, rows);
  }

  /// Returns the number of first rows that decide on the types of columns.
  static int sampleRows(CsvOptions options, int columnCount) {
    return options.sample() > 0
        ? options.sample()
        : Math.clamp(SAMPLE_VALUES / columnCount, SAMPLE_ROWS_MINIMUM, SAMPLE_ROWS_MAXIMUM);
  }

  /// Returns the records after the header, which the caller closes.
  private CsvScanner rows() throws IOException {
    return rows(new CsvSkips());
  }

  /// Returns the records after the header, which the caller closes.
  ///
  /// @param skips told the rows that are left out
  CsvScanner rows(CsvSkips skips) throws IOException {
    CsvScanner scanner = new CsvScanner(text, options, skips);
    try {
      scanner.skip(options.skip());
      if (options.header()) {
        scanner.next();
      } else if (skipsEmpty()) {
        scanner.skipEmptyLines();
      }
      return scanner;
    } catch (IOException | RuntimeException | Error e) {
      try (scanner) {
        throw e;
      }
    }
  }

  /// Returns whether rows that are not as they should be are left out.
  boolean skipsRows() {
    return options.rows() == CsvRows.SKIP;
  }

  List<Advice> leftOut(long rowCount, boolean hasComments) throws IOException {
    // Comments are all that may precede a header where comments are expected.
    boolean isPreceded = text.line(0) > 1;
    return CsvLastUpload.leftOut(findings.found(), rowCount, hasComments || isPreceded);
  }

  SkippedRows skipped(CsvSkips skips) throws IOException {
    return skips.rows(text);
  }

  /// Returns whether an empty line is skipped. In a file with one column, it is an empty field, if
  /// that is null, or a text of TSV.
  boolean skipsEmpty() {
    return names.size() > 1
        || options.table() != null
        || !options.nulls().contains("") && !options.hasBackslashes();
  }

  /// Returns the kinds of values of each column: of all its cells, or in the first rows of a column
  /// whose type is not stated.
  private List<ValueKinds> kinds() throws IOException {
    CsvTable table = options.table();
    if (table == null) {
      return sample();
    }
    long line = firstLine();
    return table.kinds(options.header() ? line : line - 1).subList(0, names.size());
  }

  /// Returns the line of the header, or of the first row without one, counted from 1.
  public long firstLine() throws IOException {
    try (CsvScanner scanner = new CsvScanner(text, options)) {
      CsvBlock first = new CsvBlock(COLUMNS_MAXIMUM);
      scanner.next(first);
      return text.line(first.byteOffset(0));
    }
  }

  /// Returns the kinds of values in the first rows of each column whose type is not stated.
  private List<ValueKinds> sample() throws IOException {
    List<ValueKinds> kinds = names.stream().map(_ -> new ValueKinds()).toList();
    KindParser parser =
        new KindParser(
            options.point(), options.dateFormat(), options.dateOrder(), options.timestampFormat());
    int wanted = sampleRows(options, names.size());
    List<CsvColumn> texts = CsvColumns.texts(names, options);
    CsvBlock block = new CsvBlock(names.size());
    try (CsvScanner scanner = rows()) {
      int row = 0;
      while (row < wanted && scanner.fill(block, wanted - row, skipsEmpty())) {
        for (int i = 0; i < names.size(); i++) {
          ColumnType stated = options.types().get(names.get(i));
          if (stated == null || stated.kind() == ColumnType.Kind.GROUPED) {
            sample(block, texts.get(i).fields(block), row, parser, kinds.get(i));
          }
        }
        row += block.rowCount;
      }
    }
    return kinds;
  }

  private void sample(
      CsvBlock block, CsvColumn.Fields fields, int firstRow, KindParser parser, ValueKinds kinds) {
    for (int i = 0; i < block.rowCount; i++) {
      // An empty field is null in columns of other types than text.
      if (fields.next() && !fields.isEmpty()) {
        long range = fields.range();
        if (CsvBlock.isQuoted(range) && options.nulls().contains(options.text(block, range))) {
          // Null in a column of other values than text.
          continue;
        }
        fields.trim();
        TextKind kind = parser.kind(fields.text, fields.start, fields.end);
        if (kinds.add(kind)) {
          String value = ForeignDataException.excerpt(options.text(block, range));
          kinds.setFirst(kind, firstRow + i + 1L, value);
        }
      }
    }
  }

  /// Returns the exception for a field that its column does not hold.
  ForeignDataException invalid(CsvBlock block, int row, int column) throws IOException {
    String value = options.text(block, block.field(row, column));
    long line = text.line(block.byteOffset(row));
    CsvTable table = options.table();
    ForeignDataException error =
        table == null
            ? CsvErrors.value(typeName(column), value, line, names.get(column))
            : CsvErrors.cell(
                typeName(column), value, line, table.cell(column, line), names.get(column));
    return error.withHint(
        CsvErrors.valueHint(
            names.get(column), types.types().get(column), value, options, isAppended));
  }

  /// Returns the sentence about a field that its column does not hold.
  String invalidSentence(CsvBlock block, int row, int column) {
    String value = options.text(block, block.field(row, column));
    return "Expected %s but found \"%s\" in column %s"
        .formatted(
            typeName(column),
            ForeignDataException.excerpt(value),
            ForeignDataException.excerpt(names.get(column)));
  }

  private String typeName(int column) {
    Field field = schema.fields().get(column);
    ColumnType type = types.types().get(column);
    boolean isCast = !field.equals(read.fields().get(column));
    return isCast || type.kind() == ColumnType.Kind.INTEGER
        ? field.describeType()
        : type.displayName();
  }

  /// Returns the exception for a record that is not of the encoding.
  ForeignDataException notEncoded(CsvBlock block, int row) throws IOException {
    return CsvErrors.encoding(text.encoding(), text.line(block.byteOffset(row)));
  }
}
