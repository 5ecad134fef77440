package dev.quiver.web;

/// The two media types that are registered for Arrow.
final class ArrowMediaTypes {

  static final String STREAM = "application/vnd.apache.arrow.stream";
  static final String FILE = "application/vnd.apache.arrow.file";

  private ArrowMediaTypes() {}
}
