package dev.quiver.formats.parquet.column;

import dev.quiver.arrow.array.ArrayData;

/// Consecutive rows of a leaf column.
///
/// @param rowCount at least 1
/// @param isFull whether the piece ended before the wanted number of rows, because of its size
/// @param values an array with a slot for each row, or for each element of the innermost list
///   around the column
/// @param levels of all slots, null and empty lists included; empty unless the column is nested
public record Piece(int rowCount, boolean isFull, ArrayData values, SlotLevels levels) {}
