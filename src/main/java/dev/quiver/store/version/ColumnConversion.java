package dev.quiver.store.version;

import org.jspecify.annotations.Nullable;

/// A column of an append that has another type in the dataset.
///
/// @param from the type in the upload, or null if the upload lacks the column
/// @param to the type in the dataset
public record ColumnConversion(String column, @Nullable String from, String to) {}
