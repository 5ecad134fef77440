package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.VersionSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a version consists of.
///
/// Its IPC file is the extents, then the tail, which lies in the blob of the manifest and is empty
/// when the data blobs have everything.
///
/// @param parentCommitId of the version before, whatever it was; null for the first of a name
/// @param keys the writes with idempotency keys that are remembered, oldest first
/// @param tailOffset where the tail starts in the manifest's blob, which it ends with
public record Manifest(
    VersionSummary summary,
    @Nullable String parentCommitId,
    List<RememberedKey> keys,
    List<BlobExtent> extents,
    long tailOffset,
    long tailByteSize) {

  public Manifest {
    keys = List.copyOf(keys);
    extents = List.copyOf(extents);
  }
}
