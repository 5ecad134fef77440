package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.Excerpt;
import org.jspecify.annotations.Nullable;

/// Thrown for requested columns that a schema does not have, or that no path can reach. The message
/// reads *Expected X but found Y at WHERE*, each truncated if long.
public final class InvalidColumnsException extends RuntimeException {

  private static final int PHRASE_LENGTH_MAXIMUM = 100;

  private final @Nullable String hint;

  InvalidColumnsException(String expected, String found, String token) {
    super(
        "Expected %s but found %s at columns \"%s\""
            .formatted(excerpt(expected), excerpt(found), excerpt(token)));
    this.hint = null;
  }

  private InvalidColumnsException(String message, String hint) {
    super(message);
    this.hint = hint;
  }

  /// Returns a sentence that says what the client can do, or null if unknown.
  public @Nullable String hint() {
    return hint;
  }

  /// Returns the exception for a name that is absent.
  ///
  /// @param nearest the name that was most likely meant
  static InvalidColumnsException near(String name, String token, String nearest) {
    return new InvalidColumnsException(
        "Expected one field named \"%s\" but found none at columns \"%s\": the nearest is \"%s\""
            .formatted(excerpt(name), excerpt(token), excerpt(nearest)),
        "Write %s in place of %s."
            .formatted(excerpt(ColumnToken.quoted(nearest)), excerpt(ColumnToken.quoted(name))));
  }

  private static String excerpt(String phrase) {
    return Excerpt.of(phrase, PHRASE_LENGTH_MAXIMUM);
  }
}
