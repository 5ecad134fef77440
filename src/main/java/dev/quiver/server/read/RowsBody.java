package dev.quiver.server.read;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.text.Renderer;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.SelectedVersion;
import java.io.IOException;

/// Rows as text, rendered batch by batch while they are sent or written to a file.
///
/// @param limit the limit on the bytes of the text
record RowsBody(SelectedVersion selected, Format format, TextOptions options, Limit limit)
    implements StreamingBody {

  static final long SMALL_BYTES = 64 << 10;

  @Override
  public boolean isSmall() {
    return selected.isStoredWithin(SMALL_BYTES);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    write(sink);
  }

  /// Writes all of the text.
  void write(ByteSink sink) throws IOException {
    try (DecodedBatches batches = selected.decodedBatches()) {
      if (batches.count() > 0) {
        // The first batch is read before the names of many columns are sent, so that a rejection
        // still is a response of its own.
        batches.read(0);
      }
      Renderer renderer = Renderer.begin(format.text(), options, selected.schema(), sink, limit);
      renderer.requireRoom(selected.rows());
      for (long i = 0; i < batches.count(); i++) {
        renderer.write(batches.read(i));
      }
      renderer.end();
    }
  }
}
