package dev.quiver.formats.parquet;

/// A column whose type a format lacks, so that no file of it can hold the values.
public final class UnrepresentableTypeException extends RuntimeException {

  private final String column;
  private final String type;

  /// @param column the names from the column to the field with the type
  UnrepresentableTypeException(String message, String column, String type) {
    super(message);
    this.column = column;
    this.type = type;
  }

  public String column() {
    return column;
  }

  public String type() {
    return type;
  }
}
