package dev.quiver.store.file;

import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.UploadDigest;
import java.util.List;
import java.util.Map;

/// An IPC file that was written to a blob, or found in one.
///
/// @param key the key of the blob
/// @param version the version that consists of this file alone
/// @param schema the schema of the batches
/// @param dictionaries their positions in the blob, by id, in the order of the file
/// @param recordBatches their positions in the blob
/// @param rows the cumulative rows of the batches
/// @param sidecar of the blob
/// @param verbatim whether schema, dictionaries and batches are the messages of the upload byte for
///   byte, in its order and without anything between them that the upload lacks
public record WrittenFile(
    String key,
    NextVersion version,
    Schema schema,
    Map<Long, Block> dictionaries,
    List<Block> recordBatches,
    CumulativeRows rows,
    Sidecar sidecar,
    boolean verbatim) {

  /// Returns the same file with the digest sent with the upload.
  public WrittenFile withDigest(UploadDigest digest) {
    return new WrittenFile(
        key,
        version.withDigest(digest),
        schema,
        dictionaries,
        recordBatches,
        rows,
        sidecar,
        verbatim);
  }
}
