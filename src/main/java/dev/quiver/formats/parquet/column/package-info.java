/// A leaf column of a Parquet file as arrays with their levels, piece by piece.
@NullMarked
package dev.quiver.formats.parquet.column;

import org.jspecify.annotations.NullMarked;
