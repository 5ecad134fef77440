package dev.quiver.input;

import org.jspecify.annotations.Nullable;

/// Input that cannot be taken. Every message reads *Expected X but found Y at WHERE*.
///
/// `expected` and `found` are phrases that complete that sentence, cut when they are long. Text
/// from the input may stand in them; whoever shows the message escapes it.
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

  /// The same finding, its place completed by what the layer around it knows.
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
