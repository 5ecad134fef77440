/// DuckDB's C interface over the foreign-memory API: one class per group of functions, one method
/// per function. Handles of DuckDB, such as vectors, are addresses in `long`s, so that calls
/// allocate nothing.
///
/// Only [dev.quiver.engine.library.Downcalls] links functions. The only functions that are bound
/// are those of version 1 of the interface; the deprecated accessors of cells crash on some types.
@NullMarked
package dev.quiver.engine.library;

import org.jspecify.annotations.NullMarked;
