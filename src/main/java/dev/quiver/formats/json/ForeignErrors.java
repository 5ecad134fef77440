package dev.quiver.formats.json;

import dev.quiver.formats.ForeignDataException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The engine's errors about files, as sentences for the client that sent the file.
///
/// The engine quotes lines of the file, paths and its own settings. None of these is passed on.
final class ForeignErrors {

  private static final int FLAGS = Pattern.DOTALL;

  /// A worker's message about a value that has no equal one in the type of the dataset's column.
  private static final Pattern CAST =
      Pattern.compile("(Expected .+ but found (.+)) in column (.*)", Pattern.DOTALL);

  private static final Pattern CAST_FAILURE =
      Pattern.compile(StrictCast.ERROR_PREFIX + "(\\d{1,9}):([^:]*):(.*)", FLAGS);

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

  /// Returns the exception for a value that a statement of ours or a worker does not convert, or
  /// null for another error.
  private static @Nullable ForeignDataException cast(String message, List<String> names) {
    Matcher text = CAST_FAILURE.matcher(message);
    if (text.matches()) {
      int column = Integer.parseInt(text.group(1));
      return ForeignDataException.of(
          "Expected %s but found \"%s\""
              .formatted(
                  text.group(2).toLowerCase(Locale.ROOT),
                  ForeignDataException.excerpt(text.group(3))),
          null,
          column < names.size() ? names.get(column) : null,
          text.group(3));
    }
    Matcher value = CAST.matcher(message);
    return value.matches()
        ? ForeignDataException.of(value.group(1), null, value.group(3), value.group(2))
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
