package dev.quiver.arrow.memory;

import org.jspecify.annotations.Nullable;

/// Thrown when input is rejected. Every message reads *Expected X but found Y at WHERE*.
///
/// `expected` and `found` are phrases that complete that sentence, truncated if long. They may
/// quote text from the input, so code that displays the message must escape it.
public abstract sealed class InputException extends RuntimeException
    permits MalformedInputException,
        TooLargeInputException,
        TruncatedInputException,
        UnsupportedInputException {

  private static final int PHRASE_LENGTH_MAXIMUM = 1_000;

  private final String expected;
  private final String found;
  private final InputLocation place;

  InputException(String expected, String found, InputLocation place, @Nullable Throwable cause) {
    super(sentence(excerpt(expected), excerpt(found), place), cause);
    this.expected = excerpt(expected);
    this.found = excerpt(found);
    this.place = place;
  }

  public String expected() {
    return expected;
  }

  public String found() {
    return found;
  }

  public InputLocation place() {
    return place;
  }

  /// Returns the same error, with its location completed by the enclosing layer.
  public final InputException within(InputLocation outer) {
    InputException placed = at(place.within(outer));
    placed.setStackTrace(getStackTrace());
    return placed;
  }

  abstract InputException at(InputLocation newPlace);

  private static String excerpt(String phrase) {
    return Excerpt.of(phrase, PHRASE_LENGTH_MAXIMUM);
  }

  private static String sentence(String expected, String found, InputLocation place) {
    String where = place.toString();
    return "Expected " + expected + " but found " + found + (where.isEmpty() ? "" : " at " + where);
  }
}
