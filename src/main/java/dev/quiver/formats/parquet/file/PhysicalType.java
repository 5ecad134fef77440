package dev.quiver.formats.parquet.file;

import org.jspecify.annotations.Nullable;

/// The type of stored values. Ordinals are the numbers in files.
public enum PhysicalType {
  BOOLEAN(0),
  INT32(4),
  INT64(8),
  INT96(12),
  FLOAT(4),
  DOUBLE(8),
  BYTE_ARRAY(0),
  FIXED_LEN_BYTE_ARRAY(0);

  private static final PhysicalType[] TYPES = values();

  private final int byteWidth;

  PhysicalType(int byteWidth) {
    this.byteWidth = byteWidth;
  }

  /// Returns the size of a value in bytes, or 0 if the type does not determine it.
  public int byteWidth() {
    return byteWidth;
  }

  /// Returns the type with a number, or null if unknown.
  static @Nullable PhysicalType of(int number) {
    return number >= 0 && number < TYPES.length ? TYPES[number] : null;
  }
}
