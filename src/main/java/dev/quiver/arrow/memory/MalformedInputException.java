package dev.quiver.arrow.memory;

import org.jspecify.annotations.Nullable;

/// Thrown when the input violates the format.
public final class MalformedInputException extends InputException {

  public MalformedInputException(String expected, String found, InputLocation place) {
    this(expected, found, place, null);
  }

  public MalformedInputException(
      String expected, String found, InputLocation place, @Nullable Throwable cause) {
    super(expected, found, place, cause);
  }

  @Override
  InputException at(InputLocation newPlace) {
    return new MalformedInputException(expected(), found(), newPlace, getCause());
  }
}
