/// DuckDB's C interface over the foreign-memory API, function by function.
///
/// Only [dev.quiver.sql.library.Downcalls] links functions. The only functions that are bound are
/// functions of version 1 of the interface; the deprecated accessors of cells crash on some types.
@NullMarked
package dev.quiver.sql.library;

import org.jspecify.annotations.NullMarked;
