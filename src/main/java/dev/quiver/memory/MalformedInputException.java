package dev.quiver.memory;

import org.jspecify.annotations.Nullable;

/// Input that the format does not allow.
public final class MalformedInputException extends InputException {

  public MalformedInputException(String expected, String found, Place place) {
    this(expected, found, place, null);
  }

  public MalformedInputException(
      String expected, String found, Place place, @Nullable Throwable cause) {
    super(expected, found, place, cause);
  }

  @Override
  InputException at(Place newPlace) {
    return new MalformedInputException(expected(), found(), newPlace, getCause());
  }
}
