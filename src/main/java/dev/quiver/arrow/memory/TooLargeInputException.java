package dev.quiver.arrow.memory;

/// Thrown when the input exceeds a configured limit. The message names the limit.
public final class TooLargeInputException extends InputException {

  private final Limit limit;
  private final String what;

  TooLargeInputException(Limit limit, String what, String found, InputLocation place) {
    super("at most %d %s (%s)".formatted(limit.maximum(), what, limit.name()), found, place, null);
    this.limit = limit;
    this.what = what;
  }

  /// Returns the exceeded limit.
  public Limit limit() {
    return limit;
  }

  @Override
  InputException at(InputLocation newPlace) {
    return new TooLargeInputException(limit, what, found(), newPlace);
  }
}
