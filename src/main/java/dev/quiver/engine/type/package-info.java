/// The types of DuckDB, and the errors of values and types that Arrow or DuckDB lacks.
@NullMarked
package dev.quiver.engine.type;

import org.jspecify.annotations.NullMarked;
