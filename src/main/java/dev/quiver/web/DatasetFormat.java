package dev.quiver.web;

/// What a dataset can be read as, by a suffix or by `Accept`.
sealed interface DatasetFormat permits StoredFormat, RowsFormat {

  /// With its dot.
  String suffix();

  String mediaType();
}
