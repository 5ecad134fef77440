package dev.quiver.sql.engine;

/// How far a statement has come, by the engine's estimate.
///
/// @param percentage from 0 to 100, or -1 if unknown
public record Progress(double percentage, long rowsRead, long rowsTotal) {}
