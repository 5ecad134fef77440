package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.Excerpt;

/// Thrown for requested columns that a schema does not have, or that no path can reach. The message
/// reads *Expected X but found Y at WHERE*, each truncated if long.
public final class InvalidColumnsException extends RuntimeException {

  private static final int PHRASE_LENGTH_MAXIMUM = 100;

  InvalidColumnsException(String expected, String found, String token) {
    super(
        "Expected %s but found %s at columns \"%s\""
            .formatted(excerpt(expected), excerpt(found), excerpt(token)));
  }

  private InvalidColumnsException(String message) {
    super(message);
  }

  /// Returns the exception for a name that is absent.
  ///
  /// @param nearest the name that was most likely meant
  static InvalidColumnsException near(String expected, String token, String nearest) {
    return new InvalidColumnsException(
        "Expected %s but found none at columns \"%s\": the nearest is \"%s\""
            .formatted(excerpt(expected), excerpt(token), excerpt(nearest)));
  }

  private static String excerpt(String phrase) {
    return Excerpt.of(phrase, PHRASE_LENGTH_MAXIMUM);
  }
}
