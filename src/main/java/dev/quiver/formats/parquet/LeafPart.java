package dev.quiver.formats.parquet;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.formats.parquet.column.SlotLevels;

/// The rows of a batch in one leaf column.
///
/// @param values an array with the elements of these rows only
/// @param levels of a piece that contains the rows
/// @param slotStart the first slot of the rows in the levels
/// @param slotEnd the end of these slots
record LeafPart(ArrayData values, SlotLevels levels, int slotStart, int slotEnd) {}
