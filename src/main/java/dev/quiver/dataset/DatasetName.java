package dev.quiver.dataset;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The name of a dataset: 1 to 100 of `A-Z a-z 0-9 . _ -`, of which the first is a letter or digit.
///
/// It does not end, in any case, in a suffix that asks for a representation.
public record DatasetName(String value) {

  private static final int MAXIMUM_LENGTH = 100;
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final List<String> SUFFIXES =
      List.of(
          ".arrow",
          ".arrows",
          ".feather",
          ".ipc",
          ".json",
          ".jsonl",
          ".ndjson",
          ".csv",
          ".html",
          ".parquet",
          ".gz",
          ".zst");

  /// @throws IllegalArgumentException when `value` is no name
  public DatasetName {
    if (value.isEmpty() || value.length() > MAXIMUM_LENGTH) {
      throw refused("1 to " + MAXIMUM_LENGTH + " characters", value.length() + " characters");
    }
    if (!ALLOWED.matcher(value).matches()) {
      throw refused("a letter or digit and then letters, digits, '.', '_' or '-'", quoted(value));
    }
    String lowerCase = value.toLowerCase(Locale.ROOT);
    for (String suffix : SUFFIXES) {
      if (lowerCase.endsWith(suffix)) {
        throw refused("no suffix of a representation", quoted(value));
      }
    }
  }

  /// The name that `text` is.
  ///
  /// @throws IllegalArgumentException whose message says what was expected
  public static DatasetName parse(String text) {
    return new DatasetName(text);
  }

  @Override
  public String toString() {
    return value;
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }

  private static IllegalArgumentException refused(String expected, String found) {
    return new IllegalArgumentException(
        "Expected " + expected + " but found " + found + " at the name of a dataset");
  }
}
