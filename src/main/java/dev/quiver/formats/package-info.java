/// The formats of data, and what foreign ones share: options, column types, batches and errors.
/// [dev.quiver.formats.csv], [dev.quiver.formats.json] and [dev.quiver.formats.parquet] read a file
/// each.
@NullMarked
package dev.quiver.formats;

import org.jspecify.annotations.NullMarked;
