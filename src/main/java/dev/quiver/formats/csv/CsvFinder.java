package dev.quiver.formats.csv;

import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.FileContents;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.TextEncoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds in the beginning of a file what its options leave open: encoding, delimiter, the lines
/// before the table, the header and the decimal separator.
///
/// It is conservative. Of two readings that divide as many records alike, the one with fewer lines
/// before the table wins, then the one with a comma, unless its commas are those of texts or of
/// numbers; the other one is told.
final class CsvFinder {

  private static final List<String> DELIMITERS = List.of(",", ";", "\t", "|");

  /// The part of the records that have to be as wide as the table.
  private static final double REGULARITY_MINIMUM = 0.5;

  /// The first line by which Excel learns the delimiter.
  private static final Pattern SEPARATOR_LINE =
      Pattern.compile("\"?sep=([^\\r\\n])\"?[ ,;\\t|]*", Pattern.CASE_INSENSITIVE);

  private static final char NONE = '\0';

  private final CsvText text;
  private final CsvOptions options;
  private final CsvSample sample;
  private final @Nullable Schema dataset;
  private final @Nullable CsvLastUpload last;
  private final Map<String, Object> found = new LinkedHashMap<>();
  private final List<Advice> advice = new ArrayList<>();

  private CsvFinder(
      FileContents contents,
      CsvOptions options,
      @Nullable AppendedDataset dataset,
      @Nullable CsvLastUpload last)
      throws IOException {
    this.text = CsvText.of(contents, options.encoding(), !options.finds("encoding"));
    this.options = options;
    this.dataset = dataset == null ? null : dataset.schema();
    this.last = last;
    this.sample = CsvSample.of(text);
  }

  /// Finds what the options leave open.
  ///
  /// @param dataset to which the rows are appended, or null. The options of its last upload are
  ///   tried first
  static CsvFindings find(
      FileContents contents, CsvOptions options, @Nullable AppendedDataset dataset)
      throws IOException {
    CsvLastUpload last = CsvLastUpload.of(options, dataset);
    CsvFindings findings =
        last == null ? null : new CsvFinder(contents, last.options(), dataset, last).find();
    return findings == null
        ? Objects.requireNonNull(new CsvFinder(contents, options, dataset, /* last= */ null).find())
        : findings;
  }

  /// Returns what is found, or null if the file does not have the manner of the last upload.
  private @Nullable CsvFindings find() throws IOException {
    findEncoding();
    // Without a header, nothing shows where the table begins.
    boolean hasTitles = options.finds("skip") && options.comment().isEmpty() && options.header();
    String separator = options.finds("skip") ? separator() : null;
    int start = separator == null ? 0 : sample.afterLine(0);
    boolean isStated = !options.finds("delimiter");
    List<String> delimiters =
        isStated
            ? List.of(options.delimiter())
            : separator != null
                ? List.of(separator)
                : DELIMITERS.stream().filter(each -> !options.hasOtherUse(each)).toList();
    List<CsvLayout> layouts = new ArrayList<>();
    for (String delimiter : delimiters) {
      layouts.add(layout(start, delimiter.charAt(0), hasTitles));
    }
    CsvLayout plain = layouts.getFirst();
    CsvLayout best =
        beginsWithNamesOfDataset(plain) ? null : isStated ? stated(plain) : best(layouts);
    if (best == null) {
      best = layout(start, plain.delimiter(), /* hasTitles= */ false);
    }
    String delimiter = Character.toString(best.delimiter());
    if (!isStated && !delimiter.equals(",")) {
      found.put("delimiter", delimiter);
    }
    CsvText table = text;
    if (options.finds("skip") && best.header() < best.rows().size()) {
      int first = best.rows().get(best.header()).start();
      table = text.from(first);
      tellTitles(best);
    }
    boolean header = header(best);
    if (last != null && !last.fits(best.table(), header)) {
      return null;
    }
    String decimal = new CsvDecimal(options, dataset).find(best, header);
    if (!decimal.equals(options.decimal()) || options.finds("decimal") && decimal.equals(",")) {
      found.put("decimal", decimal);
    }
    findQuotes(best);
    tellLostLines();
    int width = Integer.MAX_VALUE;
    int emptyCount =
        best.rows().isEmpty() ? 0 : best.table().getFirst().count() - best.filledWidth();
    // One column without a name may have its first value later.
    boolean isKnown = emptyCount > 1 || sample.isWhole();
    // Without a header, a dataset needs as many fields as it has columns.
    boolean mayBeLeftOut = options.finds("header") || options.header() || dataset == null;
    if (emptyCount > 0 && isKnown && mayBeLeftOut && !beginsWithNamesOfDataset(plain)) {
      width = best.filledWidth();
      found.put("emptyColumns", emptyCount);
    }
    CsvOptions complete = options.with(delimiter, header, decimal);
    FileParameters parameters = complete.parameters();
    if (last != null) {
      found.put(CsvLastUpload.FOUND, last.told());
      complete = complete.withTypes(last.types(best.table()));
    }
    return new CsvFindings(table, complete, parameters, width, found, advice);
  }

  private void findEncoding() {
    TextEncoding encoding = text.encoding();
    if (!options.finds("encoding")) {
      return;
    }
    if (sample.hasWideLines()) {
      tellEncoding(
          "The text has characters of the code 0, as if it was UTF-16 without a mark",
          TextEncoding.UTF_16LE);
    }
    if (encoding.isUtf8() || encoding.equals(options.encoding())) {
      return;
    }
    found.put("encoding", encoding.name());
    if (text.markByteSize() == 0) {
      tellEncoding(
          encoding.equals(TextEncoding.WINDOWS_1252)
              ? "The text is not UTF-8 and was read as windows-1252"
              : "The text has no mark and was read as " + encoding.name(),
          encoding);
    }
  }

  private void tellEncoding(String sentence, TextEncoding encoding) {
    advice.add(
        new Advice(
            "%s; the parameter %sencoding states another encoding"
                .formatted(sentence, options.prefix()),
            options.prefix() + "encoding",
            encoding.name(),
            /* column= */ null));
  }

  /// Tells quotes around the fields of a file whose fields are not quoted by its format.
  private void findQuotes(CsvLayout layout) {
    List<CsvSample.Row> table = layout.table();
    if (options.quote().isEmpty()
        && options.finds("quote")
        && !table.isEmpty()
        && table.getFirst().fields().stream().allMatch(CsvFinder::isQuoted)) {
      advice.add(
          new Advice(
              "The fields have quotation marks; the parameter %squote=\" leaves them out"
                  .formatted(options.prefix()),
              options.prefix() + "quote",
              "\"",
              /* column= */ null));
    }
  }

  /// Tells that the text is one line without an end, which may have been many.
  private void tellLostLines() {
    if (options.table() == null && sample.isOneLine()) {
      advice.add(
          new Advice(
              "The text is one line without an end: curl -d removes line ends, and --data-binary"
                  + " keeps them"));
    }
  }

  private static boolean isQuoted(String field) {
    return field.length() > 1 && field.startsWith("\"") && field.endsWith("\"");
  }

  /// Returns the delimiter that the first line states, or null.
  private @Nullable String separator() {
    int end = sample.afterLine(0);
    String line = sample.text().substring(0, end).replaceFirst("[\\r\\n]+$", "");
    Matcher stated = SEPARATOR_LINE.matcher(line);
    if (!stated.matches()) {
      return null;
    }
    String separator = stated.group(1);
    return separator.charAt(0) < 0x80 && !options.hasOtherUse(separator) ? separator : null;
  }

  private CsvLayout layout(int start, char delimiter, boolean hasTitles) {
    char quote = options.quote().isEmpty() ? NONE : options.quote().charAt(0);
    char escape = options.escape().isEmpty() ? NONE : options.escape().charAt(0);
    List<CsvSample.Row> rows = sample.rows(start, delimiter, quote, escape);
    if (!options.comment().isEmpty()) {
      rows = rows.stream().filter(row -> row.first() != options.comment().charAt(0)).toList();
    }
    if (!options.finds("skip")) {
      rows = rows.subList(Math.min(options.skip(), rows.size()), rows.size());
    }
    return CsvLayout.of(delimiter, rows, hasTitles, options.table() != null);
  }

  private static @Nullable CsvLayout stated(CsvLayout layout) {
    return isPossible(layout) ? layout : null;
  }

  /// Returns the best layout, or null if none is a table.
  private @Nullable CsvLayout best(List<CsvLayout> layouts) {
    List<CsvLayout> possible = layouts.stream().filter(CsvFinder::isPossible).toList();
    CsvLayout plain = layouts.getFirst();
    CsvLayout best = null;
    for (CsvLayout layout : possible) {
      // Texts in one column may have any character: only a header shows that they are a table.
      boolean isTable = layout.titleCount() == 0 || layout.hasHeader() || !plain.isOneColumn();
      if (!isTable) {
        tellDelimiter(layout);
      } else if (best == null || isBetter(layout, best)) {
        best = layout;
      }
    }
    for (CsvLayout other : possible) {
      if (best != null && other != best && other.regularity() >= best.regularity()) {
        tellDelimiter(other);
      }
    }
    return best;
  }

  private void tellDelimiter(CsvLayout layout) {
    String delimiter = Character.toString(layout.delimiter());
    advice.add(
        new Advice(
            "The delimiter \"%s\" divides the rows as well; the parameter %sdelimiter states it"
                .formatted(delimiter, options.prefix()),
            options.prefix() + "delimiter",
            delimiter,
            /* column= */ null));
  }

  /// Returns whether a layout may be meant. Titles stand above a header only: a name above decimal
  /// commas, or above texts with one comma each, is no title of a table of two columns.
  private static boolean isPossible(CsvLayout layout) {
    if (!layout.isTable() || layout.regularity() < REGULARITY_MINIMUM) {
      return false;
    }
    return layout.titleCount() == 0
        || layout.table().size() > 1
            && !CsvHeader.isAbsent(layout.table())
            && (layout.width() > 2 || layout.isSeparated() || layout.hasHeader());
  }

  /// Returns whether a layout is better than another one, whose delimiter is more common.
  private static boolean isBetter(CsvLayout layout, CsvLayout other) {
    int order = Double.compare(layout.regularity(), other.regularity());
    if (order != 0) {
      return order > 0;
    }
    if (layout.titleCount() != other.titleCount()) {
      return layout.titleCount() < other.titleCount();
    }
    // The plain reading wins, unless its commas are those of texts or of numbers.
    return other.delimiter() == ',' && layout.hasCommasOfTexts()
        || layout.typedPart() == 1 && other.typedPart() < 1 && CsvHeader.isAbsent(layout.table());
  }

  private void tellTitles(CsvLayout layout) throws IOException {
    List<CsvSample.Row> before =
        layout.rows().subList(0, layout.header()).stream()
            .filter(row -> !row.isEmptyLine())
            .toList();
    if (before.isEmpty()) {
      return;
    }
    int first = layout.rows().get(layout.header()).start();
    found.put("skippedLines", text.line(first) - 1);
    if (!before.stream().allMatch(row -> row.first() == '#' && row.count() < layout.width())) {
      String title =
          before.getFirst().texts().stream()
              .map(String::strip)
              .filter(text -> !text.isEmpty())
              .findFirst()
              .map(ForeignDataException::excerpt)
              .orElse("");
      advice.add(
          isWholeTable(layout)
              ? new Advice(
                  "The table begins below \"%s\"; the parameter %sskip=0 reads all lines"
                      .formatted(title, options.prefix()),
                  options.prefix() + "skip",
                  "0",
                  /* column= */ null)
              : new Advice(
                  "The table begins below \"%s\"; the parameter %sskip states another beginning"
                      .formatted(title, options.prefix())));
    }
  }

  /// Returns whether all records, from the first one on, have the fields of a table.
  private static boolean isWholeTable(CsvLayout layout) {
    int count = layout.rows().getFirst().count();
    return layout.rows().stream()
        .filter(row -> !row.isEmptyLine())
        .allMatch(row -> row.isRegular() && row.count() >= count && row.filledCount() <= count);
  }

  private boolean header(CsvLayout layout) {
    List<CsvSample.Row> table = layout.table();
    if (!options.finds("header") || table.isEmpty()) {
      return options.header();
    }
    boolean hasNames = hasNamesOfDataset(table.getFirst());
    if (hasNames || !options.header()) {
      return hasNames;
    }
    if (!CsvHeader.isAbsent(table)) {
      return true;
    }
    found.put("header", false);
    advice.add(
        new Advice(
            "The first row has values and no names; the parameter %sheader=true reads it as names"
                .formatted(options.prefix()),
            options.prefix() + "header",
            "true",
            /* column= */ null));
    return false;
  }

  private boolean hasNamesOfDataset(CsvSample.Row row) {
    return dataset != null
        && dataset.fields().stream().map(Field::name).anyMatch(row.texts()::contains);
  }

  /// Returns whether all fields of the first record are names of the dataset.
  private boolean beginsWithNamesOfDataset(CsvLayout layout) {
    if (dataset == null || layout.rows().isEmpty()) {
      return false;
    }
    List<String> names = dataset.fields().stream().map(Field::name).toList();
    return names.containsAll(layout.rows().getFirst().texts());
  }
}
