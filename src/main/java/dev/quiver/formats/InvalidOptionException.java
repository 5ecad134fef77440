package dev.quiver.formats;

import dev.quiver.arrow.memory.Excerpt;
import org.jspecify.annotations.Nullable;

/// An option for a file that is unknown or has an invalid value.
public final class InvalidOptionException extends RuntimeException {

  private static final int QUOTE_LENGTH = 100;

  private final @Nullable String hint;

  private InvalidOptionException(String message, @Nullable String hint) {
    super(message);
    this.hint = hint;
  }

  /// Returns a sentence that says what the client can do, or null if the message does.
  public @Nullable String hint() {
    return hint;
  }

  public static InvalidOptionException value(String name, String expected, String found) {
    return new InvalidOptionException(
        "Expected %s but found \"%s\" at parameter %s"
            .formatted(expected, Excerpt.of(found, QUOTE_LENGTH), name),
        /* hint= */ null);
  }

  /// @param nearest the name that was most likely meant, or null
  static InvalidOptionException unknown(String name, String expected, @Nullable String nearest) {
    String found = Excerpt.of(name, QUOTE_LENGTH);
    return new InvalidOptionException(
        "Expected %s but found %s at the query%s"
            .formatted(
                expected, found, nearest == null ? "" : ": the nearest parameter is " + nearest),
        nearest == null
            ? "Leave out the parameter."
            : "Write %s= in place of %s=.".formatted(nearest, found));
  }

  /// @param format the format of the file
  public static InvalidOptionException ofOther(String name, String format) {
    return new InvalidOptionException(
        "Expected a file of another format but found %s at parameter %s"
            .formatted(format, Excerpt.of(name, QUOTE_LENGTH)),
        "Leave out the parameter.");
  }

  static InvalidOptionException repeated(String name, int count) {
    return new InvalidOptionException(
        "Expected one value but found %d at parameter %s".formatted(count, name),
        "Give %s once.".formatted(name));
  }
}
