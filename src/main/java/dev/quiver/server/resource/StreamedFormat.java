package dev.quiver.server.resource;

/// A format whose bytes can be sent while they are made.
public sealed interface StreamedFormat extends DatasetFormat permits StoredFormat, RowsFormat {}
