package dev.quiver.dataset;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts an upload in the place of whatever was there.
record Replacement(StagedUpload staged, NewBlobs blobs) implements Change {

  @Override
  public NextVersion on(Catalog.@Nullable OpenManifest newest) throws IOException {
    staged.commit(blobs);
    return NextVersion.of(staged.written());
  }

  @Override
  public void discard() {
    blobs.deleteBut(List.of());
  }
}
