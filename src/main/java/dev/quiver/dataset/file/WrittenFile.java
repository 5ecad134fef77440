package dev.quiver.dataset.file;

import dev.quiver.columnar.Schema;
import dev.quiver.dataset.catalog.NextVersion;
import dev.quiver.metadata.Block;
import java.util.List;
import java.util.Map;

/// An IPC file as it was written to a blob, or found in one.
///
/// @param key of the blob
/// @param version the version that the file makes on its own
/// @param schema of the batches
/// @param dictionaries where they lie in the blob, by id, in the order of the file
/// @param recordBatches where they lie in the blob
/// @param rows of the batches
public record WrittenFile(
    String key,
    NextVersion version,
    Schema schema,
    Map<Long, Block> dictionaries,
    List<Block> recordBatches,
    CumulativeRows rows) {}
