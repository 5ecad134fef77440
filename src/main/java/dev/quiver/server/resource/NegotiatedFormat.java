package dev.quiver.server.resource;

/// A format of a dataset that `Accept` can select.
public sealed interface NegotiatedFormat permits DatasetFormat, UnsuffixedFormat {

  String mediaType();
}
