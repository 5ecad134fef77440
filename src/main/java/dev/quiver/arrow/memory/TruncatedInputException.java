package dev.quiver.arrow.memory;

import org.jspecify.annotations.Nullable;

/// Thrown when the input ends before its declared end.
public final class TruncatedInputException extends InputException {

  public TruncatedInputException(String expected, String found, InputLocation place) {
    this(expected, found, place, null);
  }

  public TruncatedInputException(
      String expected, String found, InputLocation place, @Nullable Throwable cause) {
    super(expected, found, place, cause);
  }

  @Override
  InputException at(InputLocation newPlace) {
    return new TruncatedInputException(expected(), found(), newPlace, getCause());
  }
}
