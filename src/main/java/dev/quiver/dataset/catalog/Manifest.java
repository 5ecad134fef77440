package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.VersionSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The contents of a version.
///
/// Its IPC file consists of the extents and then the tail. The tail is stored in the manifest's own
/// blob, and is empty if the data blobs hold everything.
///
/// @param parentCommitId the commit id of the preceding version, even if that is a delete; null for
///   the first version of a name
/// @param keys the remembered writes with idempotency keys, oldest first
/// @param tailOffset where the tail starts in the manifest's blob; it reaches to the blob's end
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
