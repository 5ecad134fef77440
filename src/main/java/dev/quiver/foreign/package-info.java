/// Files of other formats: what a client says of them, the SQL that reads JSON, and what the
/// engine's errors about it mean.
///
/// Nothing here reads a row. A worker's engine does, by the SQL of [dev.quiver.foreign.JsonFile];
/// [dev.quiver.foreign.csv] and [dev.quiver.foreign.parquet] read CSV and Parquet without an
/// engine. Names and options come from a client: SQL has them as literals only.
@NullMarked
package dev.quiver.foreign;

import org.jspecify.annotations.NullMarked;
