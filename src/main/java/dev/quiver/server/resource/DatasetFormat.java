package dev.quiver.server.resource;

/// A format of a dataset that can also be requested by a suffix.
public sealed interface DatasetFormat extends NegotiatedFormat
    permits StreamedFormat, ParquetFormat {

  /// Returns the suffix, including the dot.
  String suffix();
}
