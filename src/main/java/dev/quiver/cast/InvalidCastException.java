package dev.quiver.cast;

import dev.quiver.columnar.Field;

/// A value that has no equal one in the type to which it is cast.
public final class InvalidCastException extends RuntimeException {

  private final String sentence;
  private final String column;
  private final String value;

  private InvalidCastException(String sentence, String column, String value) {
    super("%s in column %s".formatted(sentence, column));
    this.sentence = sentence;
    this.column = column;
    this.value = value;
  }

  /// @param expected what the field requires, such as `whole milliseconds`
  static InvalidCastException of(String expected, Object found, Field field) {
    return new InvalidCastException(
        "Expected %s but found %s".formatted(expected, found), field.name(), found.toString());
  }

  /// Returns the message without the column.
  public String sentence() {
    return sentence;
  }

  /// Returns the name of the field, which may be one within a column.
  public String column() {
    return column;
  }

  public String value() {
    return value;
  }
}
