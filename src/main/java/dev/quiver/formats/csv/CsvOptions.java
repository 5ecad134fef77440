package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.value.DateOrder;
import dev.quiver.formats.value.TextEncoding;
import dev.quiver.formats.value.TimeFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Options for a CSV file: the parameters whose names begin with `csv.`. What they leave open is
/// found in the file, by [CsvFinder].
///
/// @param format CSV or TSV
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
/// @param stated the values of parameters that the client states, by their name without the prefix
/// @param table the table whose text the file is, or null if CSV is its own format
public record CsvOptions(
    Format format,
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
    Map<String, List<String>> stated,
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

  /// The delimiter that is looked for.
  private static final String AUTO = "auto";

  /// The names of options that do not tell how another file is read by being stated.
  private static final List<String> OPEN_NAMES =
      List.of("delimiter", "header", "decimal", "encoding", "types", "sample");

  /// The characters of the values of parameters that are kept.
  private static final int PARAMETERS_LENGTH_MAXIMUM = 4_096;

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
    String statedDelimiter = values.only("delimiter");
    boolean isFound = AUTO.equals(statedDelimiter);
    boolean isOpen = isFound || format == Format.CSV && statedDelimiter == null;
    String standard = delimiter(format);
    String delimiter = isFound ? standard : values.character("delimiter", standard, false);
    Map<String, List<String>> stated = new HashMap<>();
    NAMES.forEach(name -> stated.put(name, values.all(name)));
    stated.values().removeIf(List::isEmpty);
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
    boolean hasLetters = quote.isEmpty() && escape.equals(BACKSLASH);
    return new CsvOptions(
        format,
        delimiter,
        quote,
        escape,
        values.flag("header", true),
        values.number("skip", 0, 0, SKIP_MAXIMUM),
        nulls(values, hasLetters ? BACKSLASH_NULL : "", quote, isOpen ? "" : delimiter),
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

  private static String delimiter(Format format) {
    return format == Format.TSV ? "\t" : ",";
  }

  /// Returns the fields that are null: the stated ones, and the one that is by default. Files that
  /// have [#BACKSLASH_NULL] tell it from empty texts.
  ///
  /// @param standard the field that is null by default
  /// @param delimiter that no field may have, or empty if it is open
  private static List<String> nulls(
      OptionValues values, String standard, String quote, String delimiter) {
    List<String> stated = values.all("null");
    if (stated.size() > NULLS_MAXIMUM) {
      throw values.invalid(
          "null", "at most %d values".formatted(NULLS_MAXIMUM), stated.size() + " values");
    }
    for (String value : stated) {
      requireText(values, "null", value);
      if (value.indexOf('\n') >= 0
          || value.indexOf('\r') >= 0
          || !quote.isEmpty() && value.contains(quote)
          || !delimiter.isEmpty() && value.contains(delimiter)) {
        throw values.invalid("null", "text without delimiter, quote and line break", value);
      }
    }
    List<String> nulls = new ArrayList<>(stated);
    if (!nulls.contains(standard) && !nulls.contains(BACKSLASH_NULL)) {
      nulls.add(standard);
    }
    return nulls;
  }

  private static @Nullable DateOrder dateOrder(OptionValues values) {
    return values.only("dates") == null
        ? null
        : DateOrder.ofWord(values.choice("dates", DateOrder.WORDS));
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

  /// Returns the start of the names of parameters.
  String prefix() {
    return table == null ? PREFIX : table.prefix();
  }

  /// Returns whether an option is looked for in the file.
  boolean finds(String name) {
    return switch (name) {
      case "delimiter" ->
          List.of(AUTO).equals(stated.get(name))
              || format == Format.CSV && !stated.containsKey(name);
      // A comma is that of another file.
      case "decimal" -> !stated.containsKey(name) && (format == Format.CSV || decimal.equals(","));
      default -> !stated.containsKey(name);
    };
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

  /// Returns the parameters by which another file can be read as one with these options, but for
  /// types that a dataset has: those that are stated, and those that a file of the format does not
  /// have by itself.
  FileParameters parameters() {
    if (table != null) {
      return FileParameters.NONE;
    }
    Map<String, List<String>> values = new HashMap<>();
    stated.forEach((name, all) -> values.put(PREFIX + name, all));
    OPEN_NAMES.forEach(name -> values.remove(PREFIX + name));
    putUnless(delimiter.equals(delimiter(format)), "delimiter", delimiter, values);
    putUnless(header, "header", "false", values);
    putUnless(decimal.equals("."), "decimal", decimal, values);
    if (encoding != null) {
      putUnless(encoding.isUtf8(), "encoding", encoding.name(), values);
    }
    List<String> written = new ArrayList<>();
    types.forEach((column, type) -> {
      if (type.isWritten()) {
        written.add(OptionValues.typed(column, type.displayName()));
      }
    });
    if (!written.isEmpty()) {
      values.put(PREFIX + "types", written);
    }
    int length = values.values().stream().flatMap(List::stream).mapToInt(String::length).sum();
    return new FileParameters(
        format.name(), length > PARAMETERS_LENGTH_MAXIMUM ? Map.of() : values);
  }

  private static void putUnless(
      boolean isPlain, String name, String value, Map<String, List<String>> values) {
    if (!isPlain) {
      values.put(PREFIX + name, List.of(value));
    }
  }

  /// Returns the options of these parameters and those of another file. Of the latter, header,
  /// decimal separator and encoding only stand where the file does not show others.
  ///
  /// @throws InvalidOptionException if they do not go together
  CsvOptions and(Map<String, List<String>> others) {
    Map<String, List<String>> all = new HashMap<>(others);
    stated.forEach((name, values) ->
        all.merge(
            PREFIX + name,
            values,
            (first, second) -> Stream.concat(first.stream(), second.stream()).toList()));
    CsvOptions both = parse(format, all);
    Map<String, List<String>> fixed = new HashMap<>(both.stated);
    Stream.of("header", "decimal", "encoding")
        .filter(name -> !stated.containsKey(name))
        .forEach(fixed::remove);
    return both.with(both.delimiter, both.header, both.decimal, both.types, fixed);
  }

  CsvOptions withTypes(Map<String, ColumnType> newTypes) {
    return with(delimiter, header, decimal, newTypes, stated);
  }

  /// Returns the same options with what was found in a file.
  CsvOptions with(String newDelimiter, boolean newHeader, String newDecimal) {
    return with(newDelimiter, newHeader, newDecimal, types, stated);
  }

  private CsvOptions with(
      String newDelimiter,
      boolean newHeader,
      String newDecimal,
      Map<String, ColumnType> newTypes,
      Map<String, List<String>> newStated) {
    return new CsvOptions(
        format,
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
        newStated,
        table);
  }
}
