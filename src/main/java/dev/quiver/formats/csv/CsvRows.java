package dev.quiver.formats.csv;

import java.util.List;

/// The treatment of rows with too few or too many fields, or with a value that its column does not
/// hold.
public enum CsvRows {
  /// They are an error.
  STRICT,
  /// Fields that are missing at the end of a row are null. Everything else is an error.
  FILL,
  /// They are left out, and told.
  SKIP;

  static final List<String> WORDS = List.of("strict", "fill", "skip");
}
