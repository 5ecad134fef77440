package dev.quiver.web.representation;

import dev.quiver.dataset.read.DecodedBatches;
import dev.quiver.dataset.read.SelectedVersion;
import dev.quiver.input.Limit;
import dev.quiver.render.Numbers;
import dev.quiver.render.Renderer;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.resource.RowsFormat;
import dev.quiver.web.response.StreamingBody;
import java.io.IOException;

/// Rows as text, rendered batch by batch while they are sent.
///
/// @param limit the limit on the bytes of the text
record RowsBody(SelectedVersion selected, RowsFormat format, Numbers numbers, Limit limit)
    implements StreamingBody {

  private static final long SMALL_BYTES = 64 << 10;

  @Override
  public boolean isSmall() {
    return selected.isStoredWithin(SMALL_BYTES);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    try (DecodedBatches batches = selected.decodedBatches()) {
      Renderer renderer = Renderer.begin(format.text(), numbers, selected.schema(), sink, limit);
      renderer.requireRoom(selected.rows());
      for (long i = 0; i < batches.count(); i++) {
        renderer.write(batches.read(i));
      }
      renderer.end();
    }
  }
}
