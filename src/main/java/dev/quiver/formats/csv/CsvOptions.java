package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.value.TimeFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Options for a CSV file: the parameters whose names begin with `csv.`.
///
/// @param delimiter between fields, or null to find it in the first rows
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
/// @param encoding of the text
/// @param sample how many rows decide on a type, or 0 for a number that suits the columns
public record CsvOptions(
    @Nullable String delimiter,
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
    String encoding,
    int sample) {

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
          "encoding",
          "sample");

  private static final String BACKSLASH = "\\";

  /// The null of TSV, as PostgreSQL and MySQL write it as well.
  private static final String BACKSLASH_NULL = "\\N";

  private static final List<String> ENCODINGS = List.of("utf-8", "utf-16", "latin-1");
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
    String delimiter =
        "auto".equals(values.only("delimiter"))
            ? null
            : values.character("delimiter", format == Format.TSV ? "\t" : ",", false);
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
          || delimiter != null && value.contains(delimiter)) {
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
        values.types("types"),
        format(values, "dateformat"),
        format(values, "timestampformat"),
        decimal,
        values.choice("encoding", ENCODINGS),
        values.number("sample", 0, 1, SAMPLE_MAXIMUM));
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

  /// Returns the delimiter of a file whose delimiter was found.
  String fieldDelimiter() {
    return Objects.requireNonNull(delimiter);
  }

  /// Returns whether a character stands for something else than the end of a field.
  boolean hasOtherUse(String character) {
    return List.of(quote, escape, comment).contains(character)
        || decimal.equals(character) && !decimal.equals(".");
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

  CsvOptions withDelimiter(String found) {
    return with(found, types);
  }

  CsvOptions withTypes(Map<String, ColumnType> stated) {
    return with(delimiter, stated);
  }

  private CsvOptions with(@Nullable String newDelimiter, Map<String, ColumnType> newTypes) {
    return new CsvOptions(
        newDelimiter,
        quote,
        escape,
        header,
        skip,
        nulls,
        comment,
        newTypes,
        dateFormat,
        timestampFormat,
        decimal,
        encoding,
        sample);
  }
}
