package dev.quiver.foreign;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The engine's errors about files, as sentences for the client that sent the file.
///
/// The engine quotes lines of the file, paths and its own settings. None of these is passed on.
public final class ForeignErrors {

  private static final int FLAGS = Pattern.DOTALL;

  /// A worker's message about a value that has no equal one in the type that the file states.
  private static final Pattern CAST =
      Pattern.compile("(Expected .+ but found (.+)) in column (.*)", Pattern.DOTALL);

  /// Those around a text that was found.
  private static final Pattern QUOTES = Pattern.compile("^\"|\"$");

  private static final Pattern CSV_LINE = Pattern.compile("CSV Error on Line: (\\d{1,18})", FLAGS);

  /// A long message is cut within the value.
  private static final Pattern CSV_CONVERSION =
      Pattern.compile(
          ".*Error when converting column \"c(\\d{1,9})\"\\. Could not convert string \"(.*?)"
              + "(?:\" to '([^']*)')?",
          FLAGS);

  private static final Pattern CSV_FIELDS =
      Pattern.compile(".*Expected Number of Columns: (\\d{1,9}) Found: (\\d{1,9}).*", FLAGS);

  /// The engine's errors about an empty line where it begins another part of a file.
  private static final Pattern EMPTY_LINE =
      Pattern.compile("Parallel CSV Reader|Expected Number of Columns: \\d{1,9} Found: 1\\b");

  private static final Pattern CSV_LINE_SIZE =
      Pattern.compile(".*Maximum line size of (\\d{1,18}) bytes exceeded.*", FLAGS);

  private static final Pattern CAST_FAILURE =
      Pattern.compile(StrictCast.ERROR_PREFIX + "(\\d{1,9}):([^:]*):(.*)", FLAGS);

  private static final Pattern FORMAT =
      Pattern.compile(
          ".*(?:Unrecognized format for strftime/strptime|Could not parse DATEFORMAT).*", FLAGS);

  private static final Pattern JSON_MALFORMED =
      Pattern.compile(
          "Malformed JSON in file \".*\", at byte (\\d{1,18}) in (line|record/value) (\\d{1,18}):"
              + " ([^.]*)\\..*",
          FLAGS);

  private static final Pattern JSON_TRANSFORM =
      Pattern.compile(
          "JSON transform error in file \".*?\", in (line|record/value) (\\d{1,18}): (.*)", FLAGS);

  private static final Pattern JSON_CAST =
      Pattern.compile("Failed to cast value[^:]*: (.*)", FLAGS);
  private static final Pattern JSON_DUPLICATE =
      Pattern.compile("Object .* has duplicate key \"(.*)\".*", FLAGS);
  private static final Pattern JSON_ADVICE =
      Pattern.compile("\\s+Try (?:setting|increasing) .*", FLAGS);
  private static final Pattern JSON_OBJECT_SIZE =
      Pattern.compile("\"maximum_object_size\" of (\\d{1,18}) bytes exceeded.*", FLAGS);
  private static final Pattern JSON_DEPTH =
      Pattern.compile("JSON exceeds maximum recursion depth of (\\d{1,9}).*", FLAGS);

  private ForeignErrors() {}

  static ForeignDataException csv(String message, CsvFile file) {
    ForeignDataException cast = cast(message, file.names());
    if (cast != null) {
      return cast;
    }
    if (FORMAT.matcher(message).matches()) {
      return ForeignDataException.of(
          "Expected formats of dates and timestamps such as %Y-%m-%d but found an unknown one");
    }
    Matcher place = CSV_LINE.matcher(message);
    Long line = place.lookingAt() ? Long.valueOf(place.group(1)) : null;
    Matcher conversion = CSV_CONVERSION.matcher(message);
    if (conversion.matches()) {
      return conversion(
          file.names(),
          Integer.parseInt(conversion.group(1)),
          conversion.group(2),
          conversion.group(3),
          line);
    }
    if (file.lines().dividedAtBlankLine() && EMPTY_LINE.matcher(message).find()) {
      return ForeignDataException.of(
          "Expected rows without empty lines between them but found some");
    }
    Matcher fields = CSV_FIELDS.matcher(message);
    if (fields.matches()) {
      return ForeignDataException.of(
          "Expected %s but found %s"
              .formatted(
                  fields.group(1).equals("1") ? "1 field" : fields.group(1) + " fields",
                  fields.group(2)),
          line,
          null,
          null);
    }
    if (message.contains("Invalid unicode")) {
      return encoding(file.options().encoding(), line);
    }
    if (message.contains("Value with unterminated quote")) {
      return quote(line);
    }
    Matcher size = CSV_LINE_SIZE.matcher(message);
    if (size.matches()) {
      return ForeignDataException.of(
          "Expected a line of at most %s bytes but found more".formatted(size.group(1)),
          line,
          null,
          null);
    }
    if (message.contains("state machine reached an invalid state")) {
      return lineEnds();
    }
    return ForeignDataException.of("The file cannot be read as CSV");
  }

  private static ForeignDataException conversion(
      List<String> names, int column, String value, @Nullable String type, @Nullable Long line) {
    return ForeignDataException.of(
        "Expected %s but found \"%s\""
            .formatted(
                type == null ? "a value of the column's type" : type.toLowerCase(Locale.ROOT),
                ForeignDataException.excerpt(value)),
        line,
        column < names.size() ? names.get(column) : null,
        value);
  }

  static ForeignDataException quote(@Nullable Long line) {
    return ForeignDataException.of(
        "Expected the quote that ends a field but found other text", line, null, null);
  }

  static ForeignDataException lineEnds() {
    return ForeignDataException.of(
        "Expected rows as in RFC 4180, with one kind of line ends, but found others");
  }

  static ForeignDataException encoding(String encoding, @Nullable Long line) {
    return ForeignDataException.of(
        "Expected %s but found other bytes".formatted(encoding.toUpperCase(Locale.ROOT)),
        line,
        null,
        null);
  }

  /// Returns the exception for a value that a statement of ours or a worker does not convert, or
  /// null for another error.
  public static @Nullable ForeignDataException cast(String message, List<String> names) {
    Matcher text = CAST_FAILURE.matcher(message);
    if (text.matches()) {
      return conversion(names, Integer.parseInt(text.group(1)), text.group(3), text.group(2), null);
    }
    Matcher value = CAST.matcher(message);
    return value.matches()
        ? ForeignDataException.of(
            value.group(1), null, value.group(3), QUOTES.matcher(value.group(2)).replaceAll(""))
        : null;
  }

  /// @param names of the columns, as far as they matter
  static ForeignDataException json(String message, List<String> names) {
    ForeignDataException unconverted = cast(message, names);
    if (unconverted != null) {
      return unconverted;
    }
    Matcher malformed = JSON_MALFORMED.matcher(message);
    if (malformed.matches()) {
      // The engine has counted the line or record in which it finds the error already.
      long number = Math.max(1, Long.parseLong(malformed.group(3)) - 1);
      return placed(
          "Expected JSON but found %s, as byte %s"
              .formatted(found(malformed.group(4)), malformed.group(1)),
          malformed.group(2),
          number,
          null);
    }
    Matcher transform = JSON_TRANSFORM.matcher(message);
    if (transform.matches()) {
      return transform(
          transform.group(1),
          Long.parseLong(transform.group(2)),
          JSON_ADVICE.matcher(transform.group(3)).replaceFirst(""));
    }
    Matcher size = JSON_OBJECT_SIZE.matcher(message);
    if (size.matches()) {
      return ForeignDataException.of(
          "Expected objects of at most %s bytes but found a larger one".formatted(size.group(1)));
    }
    Matcher depth = JSON_DEPTH.matcher(message);
    if (depth.matches()) {
      return ForeignDataException.of(
          "Expected JSON of at most %s levels but found more".formatted(depth.group(1)));
    }
    return ForeignDataException.of("The file cannot be read as JSON");
  }

  /// Returns the parser's phrase as a noun.
  private static String found(String phrase) {
    return switch (phrase) {
      case "unexpected character" -> "an unexpected character";
      case "unexpected end of data" -> "the end of the file";
      default -> phrase.length() > 80 ? "an error" : phrase;
    };
  }

  private static ForeignDataException transform(String unit, long number, String reason) {
    Matcher cast = JSON_CAST.matcher(reason);
    if (cast.matches()) {
      String value = cast.group(1);
      return placed(
          "Expected a value of the column's type but found " + ForeignDataException.excerpt(value),
          unit,
          number,
          value);
    }
    Matcher duplicate = JSON_DUPLICATE.matcher(reason);
    if (duplicate.matches()) {
      String key = ForeignDataException.excerpt(duplicate.group(1));
      return placed(
          "Expected each key once in an object but found \"%s\" again".formatted(key),
          unit,
          number,
          null);
    }
    return placed("Expected a value of the column's type but found another", unit, number, null);
  }

  private static ForeignDataException placed(
      String sentence, String unit, long number, @Nullable String value) {
    return unit.equals("line")
        ? ForeignDataException.of(sentence, number, null, value)
        : ForeignDataException.of(sentence + " in record " + number, null, null, value);
  }
}
