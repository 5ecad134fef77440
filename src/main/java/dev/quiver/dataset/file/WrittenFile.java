package dev.quiver.dataset.file;

import dev.quiver.columnar.Schema;
import dev.quiver.dataset.catalog.NextVersion;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.StoredFile;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.metadata.Block;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/// An IPC file as it was written to a blob: which ranges of the blob it consists of, and what
/// follows them when that is another footer than the blob's own.
///
/// @param tail end-of-stream marker, footer and what ends a file; empty when the blob has them
/// @param schema of the batches
/// @param dictionaries where they are in the blob, by id, in the order of the file
/// @param recordBatches where they are in the blob
/// @param rows of the batches
public record WrittenFile(
    String key,
    StoredFile file,
    List<BlobExtent> extents,
    MemorySegment tail,
    Schema schema,
    Map<Long, Block> dictionaries,
    List<Block> recordBatches,
    CumulativeRows rows) {

  public WrittenFile {
    extents = List.copyOf(extents);
  }

  /// Returns the version that this file makes.
  public NextVersion version() {
    return new NextVersion(VersionKind.UPLOAD, file, extents, tail);
  }
}
