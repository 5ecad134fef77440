package dev.quiver.web;

/// What a dataset can be read as by `Accept`.
sealed interface NegotiatedFormat permits DatasetFormat, PageFormat, MixedFormat {

  String mediaType();
}
