package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.value.DateOrder;
import dev.quiver.formats.value.TextEncoding;
import dev.quiver.formats.value.TimeFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Options for a CSV file: the parameters whose names begin with `csv.`. What they leave open is
/// found in the file, by [CsvFinder].
///
/// @param delimiter between fields
/// @param quote around a field, or empty if fields are never quoted
/// @param escape before a quote within a field, or empty if absent. A backslash without quotes
///   begins the letters of TSV
/// @param header whether the first row has the names
/// @param skip records before the first row
/// @param nulls fields that are null, unless they are quoted, before any character is unescaped
/// @param comment the character that makes the rest of a line a comment, or empty if absent
/// @param types of columns by name; other columns' types are inferred
/// @param dateFormat how dates are written, or null for ISO 8601
/// @param timestampFormat how timestamps are written, or null for ISO 8601
/// @param decimal the decimal separator
/// @param dateOrder that of dates such as `01/02/2024`, or null if they are text
/// @param encoding of the text, or null if unknown
/// @param sample how many rows decide on a type, or 0 for a number that suits the columns
/// @param rows the treatment of rows that are not as they should be
/// @param stated the names of options that the client states, which are not looked for
/// @param table the table whose text the file is, or null if CSV is its own format
public record CsvOptions(
    String delimiter,
    String quote,
    String escape,
    boolean header,
    int skip,
    List<String> nulls,
    String comment,
    Map<String, ColumnType> types,
    @Nullable TimeFormat dateFormat,
    @Nullable TimeFormat timestampFormat,
    String decimal,
    @Nullable DateOrder dateOrder,
    @Nullable TextEncoding encoding,
    int sample,
    CsvRows rows,
    Set<String> stated,
    @Nullable CsvTable table) {

  public static final String PREFIX = "csv.";

  /// The names of the options without their prefix.
  public static final List<String> NAMES =
      List.of(
          "delimiter",
          "quote",
          "escape",
          "header",
          "skip",
          "null",
          "comment",
          "types",
          "dateformat",
          "timestampformat",
          "decimal",
          "dates",
          "encoding",
          "sample",
          "rows");

  private static final String BACKSLASH = "\\";

  /// The null of TSV, as PostgreSQL and MySQL write it as well.
  private static final String BACKSLASH_NULL = "\\N";

  private static final int NULLS_MAXIMUM = 100;
  private static final int TEXT_LENGTH_MAXIMUM = 100;
  private static final int SKIP_MAXIMUM = 1_000_000;
  private static final int SAMPLE_MAXIMUM = 10_000_000;

  /// Reads the options among the parameters of a request.
  ///
  /// @param format CSV or TSV. Unless the options say otherwise, TSV has tabs between fields, no
  ///   quotes, and backslashes before the letters that stand for other characters
  /// @throws InvalidOptionException if a parameter is unknown or invalid
  public static CsvOptions parse(Format format, Map<String, List<String>> parameters) {
    OptionValues values = new OptionValues(PREFIX, NAMES, parameters);
    boolean isFound = "auto".equals(values.only("delimiter"));
    String standard = format == Format.TSV ? "\t" : ",";
    String delimiter = isFound ? standard : values.character("delimiter", standard, false);
    Set<String> stated = new HashSet<>();
    NAMES.stream().filter(name -> !values.all(name).isEmpty()).forEach(stated::add);
    if (format == Format.TSV) {
      stated.addAll(List.of("delimiter", "decimal"));
    }
    if (isFound) {
      stated.remove("delimiter");
    }
    String quote = values.character("quote", format == Format.TSV ? "" : "\"", true);
    boolean unquoted = format == Format.TSV && quote.isEmpty();
    String escape = values.character("escape", unquoted ? BACKSLASH : quote, true);
    String comment = values.character("comment", "", true);
    String decimal = values.choice("decimal", List.of(".", ","));
    if (quote.equals(delimiter)) {
      throw values.invalid("quote", "another character than the delimiter", quote);
    }
    if (!escape.isEmpty() && escape.equals(delimiter)) {
      throw values.invalid("escape", "another character than the delimiter", escape);
    }
    if (!comment.isEmpty() && (comment.equals(delimiter) || comment.equals(quote))) {
      throw values.invalid("comment", "another character than delimiter and quote", comment);
    }
    List<String> nulls = values.all("null");
    if (nulls.size() > NULLS_MAXIMUM) {
      throw values.invalid(
          "null", "at most %d values".formatted(NULLS_MAXIMUM), nulls.size() + " values");
    }
    for (String value : nulls) {
      requireText(values, "null", value);
      if (value.indexOf('\n') >= 0
          || value.indexOf('\r') >= 0
          || !quote.isEmpty() && value.contains(quote)
          || stated.contains("delimiter") && value.contains(delimiter)) {
        throw values.invalid("null", "text without delimiter, quote and line break", value);
      }
    }
    return new CsvOptions(
        delimiter,
        quote,
        escape,
        values.flag("header", true),
        values.number("skip", 0, 0, SKIP_MAXIMUM),
        !nulls.isEmpty()
            ? nulls
            : List.of(quote.isEmpty() && escape.equals(BACKSLASH) ? BACKSLASH_NULL : ""),
        comment,
        values.writtenTypes("types"),
        format(values, "dateformat"),
        format(values, "timestampformat"),
        decimal,
        dateOrder(values),
        encoding(values),
        values.number("sample", 0, 1, SAMPLE_MAXIMUM),
        CsvRows.valueOf(values.choice("rows", CsvRows.WORDS).toUpperCase(Locale.ROOT)),
        stated,
        /* table= */ null);
  }

  /// Returns the options for the text of a table: lines of TSV, each with all fields. An empty
  /// field is null.
  ///
  /// @param header whether the first row has the names, or null if that is to be found
  /// @param findsTitles whether lines before the table are to be found
  /// @param types of columns by name; other columns have the types of their cells
  /// @param skipsRows whether rows with a value that its column does not hold are left out
  public static CsvOptions ofTable(
      CsvTable table,
      @Nullable Boolean header,
      boolean findsTitles,
      Map<String, ColumnType> types,
      boolean skipsRows) {
    Set<String> stated = new HashSet<>(NAMES);
    if (header == null) {
      stated.remove("header");
    }
    if (findsTitles) {
      stated.remove("skip");
    }
    return new CsvOptions(
        "\t",
        /* quote= */ "",
        BACKSLASH,
        header == null || header,
        /* skip= */ 0,
        List.of(""),
        /* comment= */ "",
        types,
        /* dateFormat= */ null,
        /* timestampFormat= */ null,
        ".",
        /* dateOrder= */ null,
        TextEncoding.UTF_8,
        /* sample= */ 0,
        skipsRows ? CsvRows.SKIP : CsvRows.STRICT,
        stated,
        table);
  }

  private static @Nullable DateOrder dateOrder(OptionValues values) {
    return values.only("dates") == null
        ? null
        : values.choice("dates", List.of("day-first", "month-first")).equals("day-first")
            ? DateOrder.DAY_FIRST
            : DateOrder.MONTH_FIRST;
  }

  private static @Nullable TextEncoding encoding(OptionValues values) {
    String label = values.only("encoding");
    if (label == null) {
      return null;
    }
    TextEncoding encoding = TextEncoding.ofLabel(label);
    if (encoding == null) {
      throw values.invalid(
          "encoding", "the label of an encoding, such as windows-1252 or shift_jis,", label);
    }
    return encoding;
  }

  private static @Nullable TimeFormat format(OptionValues values, String name) {
    String text = values.only(name);
    if (text == null) {
      return null;
    }
    requireText(values, name, text);
    TimeFormat format = text.contains("%") ? TimeFormat.parse(text) : null;
    if (format == null) {
      throw values.invalid(name, "a format such as %d.%m.%Y", text);
    }
    return format;
  }

  private static void requireText(OptionValues values, String name, String value) {
    if (value.length() > TEXT_LENGTH_MAXIMUM || value.indexOf('\0') >= 0) {
      throw values.invalid(
          name,
          "at most %d characters, none of them 0".formatted(TEXT_LENGTH_MAXIMUM),
          value.replace('\0', ' '));
    }
  }

  /// Returns whether an option is looked for in the file.
  boolean finds(String name) {
    return !stated.contains(name);
  }

  /// Returns whether a character stands for something else than the end of a field.
  boolean hasOtherUse(String character) {
    return List.of(quote, escape, comment).contains(character);
  }

  /// Returns the character that separates the fraction of a number.
  char point() {
    return decimal.charAt(0);
  }

  /// Returns whether fields are never quoted and a backslash begins the letters of TSV. An empty
  /// field is then an empty text, and null in a column of other values.
  boolean hasBackslashes() {
    return quote.isEmpty() && escape.equals(BACKSLASH);
  }

  /// Returns a field of a block as it was meant.
  String text(CsvBlock block, long field) {
    byte[] text = Arrays.copyOfRange(block.text, CsvBlock.start(field), CsvBlock.end(field));
    int length = CsvBlock.isEscaped(field) ? unescape(text, text.length) : text.length;
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  /// Removes the characters that escape others from the first bytes of a text.
  ///
  /// @return the number of bytes that are left
  int unescape(byte[] text, int byteSize) {
    if (hasBackslashes()) {
      return TsvLetters.unescape(text, byteSize);
    }
    byte quoteByte = (byte) quote.charAt(0);
    byte escapeByte = (byte) escape.charAt(0);
    int length = 0;
    for (int i = 0; i < byteSize; i++) {
      boolean escapes =
          text[i] == escapeByte
              && i + 1 < byteSize
              && (text[i + 1] == quoteByte || text[i + 1] == escapeByte);
      i += escapes ? 1 : 0;
      text[length++] = text[i];
    }
    return length;
  }

  CsvOptions withTypes(Map<String, ColumnType> newTypes) {
    return with(delimiter, header, decimal, newTypes);
  }

  /// Returns the same options with what was found in a file.
  CsvOptions with(String newDelimiter, boolean newHeader, String newDecimal) {
    return with(newDelimiter, newHeader, newDecimal, types);
  }

  private CsvOptions with(
      String newDelimiter, boolean newHeader, String newDecimal, Map<String, ColumnType> newTypes) {
    return new CsvOptions(
        newDelimiter,
        quote,
        escape,
        newHeader,
        skip,
        nulls,
        comment,
        newTypes,
        dateFormat,
        timestampFormat,
        newDecimal,
        dateOrder,
        encoding,
        sample,
        rows,
        stated,
        table);
  }
}
