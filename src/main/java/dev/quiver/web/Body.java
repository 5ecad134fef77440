package dev.quiver.web;

/// The body of a representation.
sealed interface Body permits Content, StreamedBody {}
