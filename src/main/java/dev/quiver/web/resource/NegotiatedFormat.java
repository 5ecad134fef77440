package dev.quiver.web.resource;

/// What a dataset can be read as by `Accept`.
public sealed interface NegotiatedFormat permits DatasetFormat, HtmlFormat, MultipartMixedFormat {

  String mediaType();
}
