package dev.quiver.arrow.transform;

import dev.quiver.arrow.type.Field;
import org.jspecify.annotations.Nullable;

/// A value that has no equal one in the type to which it is cast.
public final class InvalidCastException extends RuntimeException {

  private final String expected;
  private final String sentence;
  private final String column;
  private final @Nullable String value;
  private final boolean tooLarge;

  private InvalidCastException(
      String expected, String found, String column, @Nullable String value, boolean tooLarge) {
    super("Expected %s but found %s in column %s".formatted(expected, found, column));
    this.expected = expected;
    this.sentence = "Expected %s but found %s".formatted(expected, found);
    this.column = column;
    this.value = value;
    this.tooLarge = tooLarge;
  }

  /// @param expected a requirement of the field, such as *a multiple of 1000*
  /// @param value that does not meet it
  static InvalidCastException of(String expected, Object value, Field field) {
    return new InvalidCastException(
        expected, value.toString(), field.name(), value.toString(), /* tooLarge= */ false);
  }

  /// @param expected a requirement of the field, such as *lists of 3 items*
  /// @param found a noun or a size
  static InvalidCastException withoutValue(String expected, String found, Field field) {
    return new InvalidCastException(
        expected, found, field.name(), /* value= */ null, /* tooLarge= */ false);
  }

  /// @param expected the size of the values of an array in the type of the field
  static InvalidCastException tooLarge(String expected, Field field) {
    return new InvalidCastException(
        expected, "more", field.name(), /* value= */ null, /* tooLarge= */ true);
  }

  /// Returns the requirement that is not met.
  public String expected() {
    return expected;
  }

  /// Returns the message without the column.
  public String sentence() {
    return sentence;
  }

  /// Returns whether all values exist in the type, though not within one array.
  public boolean isTooLarge() {
    return tooLarge;
  }

  /// Returns the name of the field, which may be one within a column.
  public String column() {
    return column;
  }

  /// Returns the value, or null if the failure is another one.
  public @Nullable String value() {
    return value;
  }
}
