package dev.quiver.sql.engine;

/// The progress of a statement, as the engine estimates it.
///
/// @param percentage from 0 to 100, or -1 if unknown
public record Progress(double percentage, long rowsRead, long rowsTotal) {}
