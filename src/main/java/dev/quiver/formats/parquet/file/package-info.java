/// The footer and the page headers of a Parquet file, and its columns as Arrow fields.
///
/// The metadata of Parquet files: footers and page headers, in Thrift's compact protocol.
///
/// Sizes are checked against the remaining bytes before anything is allocated. The depth of structs
/// and the size of lists are limited.
///
/// The columns of a Parquet file as Arrow's fields: how groups nest
/// ([dev.quiver.formats.parquet.file.ColumnTree]), and which type the values of a leaf become
/// ([dev.quiver.formats.parquet.file.LeafType]).
@NullMarked
package dev.quiver.formats.parquet.file;

import org.jspecify.annotations.NullMarked;
