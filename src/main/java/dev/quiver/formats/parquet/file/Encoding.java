package dev.quiver.formats.parquet.file;

import org.jspecify.annotations.Nullable;

/// The encoding of values or levels. Ordinals are the numbers in files.
public enum Encoding {
  PLAIN,
  GROUP_VAR_INT,
  PLAIN_DICTIONARY,
  RLE,
  BIT_PACKED,
  DELTA_BINARY_PACKED,
  DELTA_LENGTH_BYTE_ARRAY,
  DELTA_BYTE_ARRAY,
  RLE_DICTIONARY,
  BYTE_STREAM_SPLIT;

  private static final Encoding[] ENCODINGS = values();

  /// Returns the encoding with a number, or null if unknown.
  static @Nullable Encoding of(int number) {
    return number >= 0 && number < ENCODINGS.length ? ENCODINGS[number] : null;
  }
}
