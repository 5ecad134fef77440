package dev.quiver.server.lists;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.text.Renderer;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import java.io.IOException;
import java.lang.foreign.Arena;

/// The list of datasets as text, a batch for each page.
///
/// @param limit the limit on the bytes of the text
public record DatasetRowsBody(DatasetSource datasets, Format format, Limit limit)
    implements StreamingBody {

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    Renderer renderer =
        Renderer.begin(format.text(), TextOptions.DEFAULT, DatasetTable.SCHEMA, sink, limit);
    datasets.list(page -> {
      try (Arena arena = Arena.ofConfined()) {
        renderer.write(DatasetTable.batch(page, arena));
      }
    });
    renderer.end();
  }
}
