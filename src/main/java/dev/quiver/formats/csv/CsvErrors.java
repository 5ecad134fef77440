package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.value.TextEncoding;
import dev.quiver.formats.value.TimestampParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The errors of CSV files, each with the line of its record.
final class CsvErrors {

  static final String QUOTE_SENTENCE = "Expected the quote that ends a field but found other text";

  /// The beginning of a date whose day or month is first.
  private static final Pattern DAY_OR_MONTH = Pattern.compile("\\s*\\d{1,2}\\D");

  private static final int FRACTION_DIGITS_MAXIMUM = 9;

  private CsvErrors() {}

  /// @param type that the value is not of
  static ForeignDataException value(String type, String value, long line, String column) {
    return ForeignDataException.of(
        "Expected %s but found \"%s\"".formatted(type, ForeignDataException.excerpt(value)),
        line,
        column,
        value);
  }

  /// @param type that the value is not of
  /// @param cell its name, such as `B7`
  static ForeignDataException cell(
      String type, String value, long row, String cell, String column) {
    return ForeignDataException.inCell(
        "Expected %s but found \"%s\"".formatted(type, ForeignDataException.excerpt(value)),
        row,
        cell,
        column,
        value);
  }

  /// Returns the hint about a value that a column does not hold.
  ///
  /// @param type the type of the column
  /// @param isAppended whether a dataset has the column
  static String valueHint(
      String column, ColumnType type, String value, CsvOptions options, boolean isAppended) {
    String name = ForeignDataException.excerpt(column);
    ColumnType.Kind kind = type.kind();
    boolean isOfOtherZone = isOfOtherZone(type, value.strip());
    if (isOfOtherZone && isAppended) {
      return "Write times %s, as the column has them; the parameter %srows=skip leaves such rows out."
          .formatted(
              CsvTypes.isZoned(type)
                  ? "with their offset from UTC, such as Z"
                  : "without Z or another offset from UTC",
              options.prefix());
    }
    List<String> ways = new ArrayList<>();
    if (isOfOtherZone && options.types().containsKey(column)) {
      ways.add(
          "%stypes=%s reads times %s an offset from UTC"
              .formatted(
                  options.prefix(),
                  OptionValues.typed(name, CsvTypes.isZoned(type) ? "timestamp" : "timestamptz"),
                  CsvTypes.isZoned(type) ? "without" : "with"));
    }
    if (CsvFile.NULL_WORDS.contains(value.strip().toLowerCase(Locale.ROOT))) {
      ways.add("%snull=%s makes it null".formatted(options.prefix(), value.strip()));
    }
    boolean isTime = kind == ColumnType.Kind.DATE || kind == ColumnType.Kind.TIMESTAMP;
    if (isTime && options.finds("dates") && DAY_OR_MONTH.matcher(value).lookingAt()) {
      ways.add(
          "%1$sdates=day-first or %1$sdates=month-first reads dates such as 01/02/2024"
              .formatted(options.prefix()));
    }
    if (kind == ColumnType.Kind.FLOAT && value.contains("%") && options.table() == null) {
      ways.add(
          "%stypes=%s reads percentages"
              .formatted(options.prefix(), OptionValues.typed(name, "percent")));
    }
    if (!isAppended) {
      ways.add(
          "%stypes=%s reads the column as text"
              .formatted(options.prefix(), OptionValues.typed(name, "utf8")));
    }
    ways.add("%srows=skip leaves such rows out".formatted(options.prefix()));
    String last = ways.removeLast();
    if (ways.isEmpty()) {
      return "%s The parameter %s.".formatted(ForeignDataException.APPENDED_VALUE_HINT, last);
    }
    return "The parameter %s, and %s.".formatted(String.join(", ", ways), last);
  }

  /// Returns whether a value is a time that has an offset from UTC where the type has no time zone,
  /// or lacks one where it has one.
  private static boolean isOfOtherZone(ColumnType type, String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    return type.kind() == ColumnType.Kind.TIMESTAMP
        && new TimestampParser(FRACTION_DIGITS_MAXIMUM, !CsvTypes.isZoned(type))
            .parse(text, 0, text.length);
  }

  static String fieldCountSentence(int expected, int found) {
    String fields = expected == 1 ? "1 field" : expected + " fields";
    return "Expected %s but found %d".formatted(fields, found);
  }

  static ForeignDataException fieldCount(int expected, int found, long line) {
    return of(fieldCountSentence(expected, found), line)
        .withHint(
            expected == 1
                ? "The parameter %sdelimiter says what is between fields."
                    .formatted(CsvOptions.PREFIX)
                : found < expected
                    ? "The parameter %1$srows=fill makes missing fields null, %1$srows=skip leaves such rows out, and %1$sskip leaves out lines before the header."
                        .formatted(CsvOptions.PREFIX)
                    : "The parameter %1$srows=skip leaves such rows out, and %1$sskip leaves out lines before the header."
                        .formatted(CsvOptions.PREFIX));
  }

  static ForeignDataException quote(long line) {
    return of(QUOTE_SENTENCE, line)
        .withHint(
            "The parameter %1$sescape=\\ reads quotes after a backslash, %1$squote= reads all quotes as text, and %1$srows=skip leaves such rows out."
                .formatted(CsvOptions.PREFIX));
  }

  static ForeignDataException tooLong(int byteSizeMaximum, long line) {
    return of(
            "Expected a record of at most %,d bytes but found more".formatted(byteSizeMaximum),
            line)
        .withHint(
            "A quote that has no end makes the rest of the file one record: the parameter %1$squote= reads all quotes as text, and %1$sescape=\\ quotes after a backslash."
                .formatted(CsvOptions.PREFIX));
  }

  /// Returns the error about a row of a sheet.
  static ForeignDataException tooLongRow(int byteSizeMaximum, long row) {
    return of(
            "Expected a row of at most %,d bytes of text but found more".formatted(byteSizeMaximum),
            row)
        .withHint(
            "Leave out columns with long texts, or store the table as Parquet or Arrow data.");
  }

  static ForeignDataException columnCount(int maximum, int found) {
    return ForeignDataException.of(
            "Expected at most %,d columns but found %,d".formatted(maximum, found))
        .withHint(
            "The parameter %sdelimiter says what is between fields, --data-binary keeps the line ends that curl -d removes, and a wider table is stored as Parquet or Arrow data."
                .formatted(CsvOptions.PREFIX));
  }

  static ForeignDataException encoding(TextEncoding encoding, long line) {
    return of(
            "Expected %s but found other bytes".formatted(encoding.name().toUpperCase(Locale.ROOT)),
            line)
        .withHint(
            "The parameter %sencoding states the encoding, such as shift_jis or windows-1251."
                .formatted(CsvOptions.PREFIX));
  }

  /// Returns an error about a text that may be UTF-16.
  static ForeignDataException withWideHint(ForeignDataException error) {
    return error.withHint(
        "The text seems to be UTF-16 without a mark: the parameter %1$sencoding=utf-16le or %1$sencoding=utf-16be reads it."
            .formatted(CsvOptions.PREFIX));
  }

  private static ForeignDataException of(String sentence, long line) {
    return ForeignDataException.of(sentence, line, /* column= */ null, /* value= */ null);
  }
}
