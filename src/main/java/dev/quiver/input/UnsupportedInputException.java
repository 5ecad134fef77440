package dev.quiver.input;

import org.jspecify.annotations.Nullable;

/// Input that the format allows, or may allow, and that is not read here.
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
