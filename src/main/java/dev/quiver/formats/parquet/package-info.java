/// Parquet files as record batches, in the types that they state, and the statements that write
/// them.
///
/// Each leaf column is decoded on its own, in pieces of consecutive rows:
/// [dev.quiver.formats.parquet.column]. The same rows of all columns become a batch. Structs and
/// lists follow from the levels: [dev.quiver.formats.parquet.BatchAssembler].
///
/// A task of the pool decodes several columns, one piece ahead of the batch that the caller uses:
/// [dev.quiver.formats.parquet.LeafGroup].
@NullMarked
package dev.quiver.formats.parquet;

import org.jspecify.annotations.NullMarked;
