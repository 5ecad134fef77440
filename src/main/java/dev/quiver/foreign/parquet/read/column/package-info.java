/// Decoders of single leaf columns: [dev.quiver.foreign.parquet.read.column.LeafReader] reads the
/// pages of a column, and returns its values as arrays with their levels, one
/// [dev.quiver.foreign.parquet.read.column.Piece] at a time.
@NullMarked
package dev.quiver.foreign.parquet.read.column;

import org.jspecify.annotations.NullMarked;
