package dev.quiver.web.representation;

import dev.quiver.input.Limit;
import dev.quiver.render.Renderer;
import dev.quiver.render.TextOptions;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.resource.RowsFormat;
import dev.quiver.web.response.StreamingBody;
import java.io.IOException;
import java.lang.foreign.Arena;

/// The list of datasets as text, a batch for each page.
///
/// @param limit the limit on the bytes of the text
public record DatasetRowsBody(DatasetSource datasets, RowsFormat format, Limit limit)
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
