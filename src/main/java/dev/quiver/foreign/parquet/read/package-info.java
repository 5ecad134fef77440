/// Parquet files as record batches.
///
/// Each leaf column is decoded on its own, in pieces of consecutive rows:
/// [dev.quiver.foreign.parquet.read.column]. The same rows of all columns become a batch. Structs
/// and lists follow from the levels: [dev.quiver.foreign.parquet.read.BatchAssembler].
///
/// A task of the pool decodes several columns, one piece ahead of the batch that the caller uses:
/// [dev.quiver.foreign.parquet.read.LeafGroup].
@NullMarked
package dev.quiver.foreign.parquet.read;

import org.jspecify.annotations.NullMarked;
