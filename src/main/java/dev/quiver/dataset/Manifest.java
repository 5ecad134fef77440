package dev.quiver.dataset;

import java.util.List;

/// What a version consists of.
///
/// Its IPC file is the head, then the extents, then the tail; head and tail lie in the blob of the
/// manifest and are empty when the data blobs have everything.
///
/// @param headOffset where the head starts in the manifest's blob
record Manifest(
    VersionSummary summary,
    List<Extent> extents,
    long headOffset,
    long headByteSize,
    long tailByteSize) {

  Manifest {
    extents = List.copyOf(extents);
  }

  long tailOffset() {
    return headOffset + headByteSize;
  }
}
