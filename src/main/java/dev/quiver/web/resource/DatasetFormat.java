package dev.quiver.web.resource;

/// What a dataset can be read as by a suffix, too.
public sealed interface DatasetFormat extends NegotiatedFormat permits StoredFormat, RowsFormat {

  /// With its dot.
  String suffix();
}
