package dev.quiver.dataset.write;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.NextVersion;
import dev.quiver.dataset.catalog.VersionUpdate;
import dev.quiver.dataset.file.UncommittedBlobs;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.dataset.ingest.StagedUpload;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.VersionKind;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts an upload in the place of whatever was there.
public record Replacement(StagedUpload staged, UncommittedBlobs blobs) implements VersionUpdate {

  @Override
  public NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException {
    staged.commit(blobs);
    return of(staged.written(), staged.written().extents());
  }

  /// Returns the version that a whole file makes.
  ///
  /// @param extents of the file, wherever its bytes lie by now
  static NextVersion of(WrittenFile written, List<BlobExtent> extents) {
    return new NextVersion(VersionKind.UPLOAD, written.file(), extents, written.tail());
  }

  @Override
  public void rollback() {
    blobs.deleteExcept(List.of());
  }
}
