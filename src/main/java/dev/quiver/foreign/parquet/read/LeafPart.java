package dev.quiver.foreign.parquet.read;

import dev.quiver.columnar.ArrayData;
import dev.quiver.foreign.parquet.read.column.SlotLevels;

/// The rows of a batch in one leaf column.
///
/// @param values an array with the elements of these rows only
/// @param levels of a piece that contains the rows
/// @param slotStart the first slot of the rows in the levels
/// @param slotEnd the end of these slots
record LeafPart(ArrayData values, SlotLevels levels, int slotStart, int slotEnd) {}
