package dev.quiver.transform;

import dev.quiver.input.Excerpt;

/// Reports requested columns that a schema does not have, or that no path can lead to. The message
/// reads *Expected X but found Y at WHERE*, each truncated if it is long.
public final class InvalidColumnsException extends RuntimeException {

  private static final int PHRASE_LENGTH_MAXIMUM = 100;

  InvalidColumnsException(String expected, String found, String token) {
    super(
        "Expected %s but found %s at columns \"%s\""
            .formatted(excerpt(expected), excerpt(found), excerpt(token)));
  }

  private static String excerpt(String phrase) {
    return Excerpt.of(phrase, PHRASE_LENGTH_MAXIMUM);
  }
}
