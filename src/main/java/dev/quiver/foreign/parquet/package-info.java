/// Parquet files: the Arrow types that they state, their rows in these types, and the statements
/// that write them.
@NullMarked
package dev.quiver.foreign.parquet;

import org.jspecify.annotations.NullMarked;
