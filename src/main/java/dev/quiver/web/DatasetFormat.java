package dev.quiver.web;

/// What a dataset can be read as by a suffix, too.
sealed interface DatasetFormat extends NegotiatedFormat permits StoredFormat, RowsFormat {

  /// With its dot.
  String suffix();
}
