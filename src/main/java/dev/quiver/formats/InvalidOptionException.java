package dev.quiver.formats;

import dev.quiver.arrow.memory.Excerpt;

/// An option for a file that is unknown or has an invalid value.
public final class InvalidOptionException extends RuntimeException {

  private static final int QUOTE_LENGTH = 100;

  private InvalidOptionException(String message) {
    super(message);
  }

  public static InvalidOptionException value(String name, String expected, String found) {
    return new InvalidOptionException(
        "Expected %s but found \"%s\" at parameter %s"
            .formatted(expected, Excerpt.of(found, QUOTE_LENGTH), name));
  }

  static InvalidOptionException unknown(String name, String expected, String nearest) {
    return new InvalidOptionException(
        "Expected %s but found %s at the query: the nearest parameter is %s"
            .formatted(expected, Excerpt.of(name, QUOTE_LENGTH), nearest));
  }

  /// @param format the format of the file
  public static InvalidOptionException ofOther(String name, String format) {
    return new InvalidOptionException(
        "Expected a file of another format but found %s at parameter %s"
            .formatted(format, Excerpt.of(name, QUOTE_LENGTH)));
  }

  static InvalidOptionException repeated(String name, int count) {
    return new InvalidOptionException(
        "Expected one value but found %d at parameter %s".formatted(count, name));
  }
}
