package dev.quiver.formats.parquet.file;

import dev.quiver.formats.ForeignDataException;
import org.jspecify.annotations.Nullable;

/// Errors about the content of files, to which the caller adds the column.
public final class ParquetErrors {

  private ParquetErrors() {}

  /// @param expected a property of a valid file, such as *values within their page*
  public static ForeignDataException damaged(String expected) {
    return ForeignDataException.of(
        "Expected a Parquet file with %s but found a damaged one".formatted(expected));
  }

  /// @param encoding the encoding that the type or the reader does not support, or null if unknown
  public static ForeignDataException unsupported(@Nullable Encoding encoding) {
    return ForeignDataException.of(
        "Expected a Parquet file with supported encodings but found %s"
            .formatted(encoding == null ? "an unknown one" : encoding.name()));
  }

  public static ForeignDataException checksum(int declared, int found) {
    return ForeignDataException.of(
        "Expected a page with the checksum 0x%08x but found 0x%08x".formatted(declared, found));
  }
}
