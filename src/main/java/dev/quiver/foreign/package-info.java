/// Files of other formats: what a client says of them, the SQL that reads them, and what the
/// engine's errors about them mean.
///
/// Nothing here reads a row. A worker's engine does, by the SQL of [dev.quiver.foreign.CsvFile],
/// [dev.quiver.foreign.JsonFile] and [dev.quiver.foreign.parquet.ParquetFile]. Names and options
/// come from a client: SQL has them as literals only.
///
/// The engine guesses at files, and a wrong guess loses data without an error: rows before the
/// first of a new width, lines that begin with `#`, digits after the point of a late number. So a
/// CSV file is never sniffed. Its header is read here, and its types are chosen here, from a
/// statement about the first rows.
@NullMarked
package dev.quiver.foreign;

import org.jspecify.annotations.NullMarked;
