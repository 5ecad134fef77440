package dev.quiver.cast;

import dev.quiver.columnar.Field;

/// A value that has no equal one in the type to which it is cast.
public final class InvalidCastException extends RuntimeException {

  private InvalidCastException(String message) {
    super(message);
  }

  /// @param expected what the field requires, such as `whole milliseconds`
  static InvalidCastException of(String expected, Object found, Field field) {
    return new InvalidCastException(
        "Expected %s but found %s in column %s".formatted(expected, found, field.name()));
  }
}
