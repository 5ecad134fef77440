package dev.quiver.arrow.array;

import org.jspecify.annotations.Nullable;

/// A slot of a union, for [ArrayBuilder]: the selected child and its value.
///
/// @param typeId one of the union's type ids
/// @param value a value of the selected child, or null
public record UnionValue(int typeId, @Nullable Object value) {}
