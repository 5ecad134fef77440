/// The metadata of Parquet files: footers and page headers, in Thrift's compact protocol.
///
/// Sizes are checked against the remaining bytes before anything is allocated. The depth of structs
/// and the size of lists are limited.
@NullMarked
package dev.quiver.foreign.parquet.metadata;

import org.jspecify.annotations.NullMarked;
