package dev.quiver.foreign.parquet.page;

import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.parquet.metadata.Encoding;
import org.jspecify.annotations.Nullable;

/// Errors about pages. The caller adds the column.
final class Damage {

  private Damage() {}

  /// @param expected a property of a valid file, such as *values within their page*
  static ForeignDataException expected(String expected) {
    return ForeignDataException.of(
        "Expected a Parquet file with %s but found a damaged one".formatted(expected));
  }

  /// @param encoding the encoding that the type or the reader does not support, or null if unknown
  static ForeignDataException unsupported(@Nullable Encoding encoding) {
    return ForeignDataException.of(
        "Expected a Parquet file with supported encodings but found %s"
            .formatted(encoding == null ? "an unknown one" : encoding.name()));
  }

  static ForeignDataException checksum(int declared, int found) {
    return ForeignDataException.of(
        "Expected a page with the checksum 0x%08x but found 0x%08x".formatted(declared, found));
  }
}
