package dev.quiver.arrow.memory;

import org.jspecify.annotations.Nullable;

/// Thrown when the input uses something that the format allows, or may allow, but that Quiver
/// cannot read.
public final class UnsupportedInputException extends InputException {

  public UnsupportedInputException(String expected, String found, InputLocation place) {
    this(expected, found, place, null);
  }

  public UnsupportedInputException(
      String expected, String found, InputLocation place, @Nullable Throwable cause) {
    super(expected, found, place, cause);
  }

  @Override
  InputException at(InputLocation newPlace) {
    return new UnsupportedInputException(expected(), found(), newPlace, getCause());
  }
}
