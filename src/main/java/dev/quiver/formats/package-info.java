/// The formats of data, and what foreign ones share: options, column types and errors.
///
/// Nothing here reads a row. A worker's engine does, by the SQL of
/// [dev.quiver.formats.json.JsonFile]; [dev.quiver.formats.csv] and [dev.quiver.formats.parquet]
/// read CSV and Parquet without an engine. Names and options come from a client: SQL has them as
/// literals only.
@NullMarked
package dev.quiver.formats;

import org.jspecify.annotations.NullMarked;
