package dev.quiver.server.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.text.Renderer;
import dev.quiver.arrow.text.TextBlocks;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.RangeSink;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.version.ByteRange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Rows as text, rendered batch by batch: while they are sent, from any block of rows on, or only
/// to learn their length.
///
/// @param limit the limit on the bytes of the text
record RowsBody(SelectedVersion selected, Format format, TextOptions options, Limit limit)
    implements StreamingBody {

  private static final long SMALL_BYTES = 64 << 10;
  private static final ByteSink DISCARDING = _ -> {};

  @Override
  public boolean isSmall() {
    return selected.isStoredWithin(SMALL_BYTES);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    write(sink);
  }

  /// Writes all of the text.
  ///
  /// @return its length
  TextBlocks write(ByteSink sink) throws IOException {
    try (DecodedBatches batches = selected.decodedBatches()) {
      readAhead(batches, 0);
      Renderer renderer = begin(sink);
      renderer.requireRoom(selected.rows());
      for (long i = 0; i < batches.count(); i++) {
        renderer.write(batches.read(i));
      }
      return renderer.end();
    }
  }

  /// Writes a range of the text, and renders the blocks that it touches.
  ///
  /// @param blocks the length of the text
  /// @return the number of bytes rendered
  long write(TextBlocks blocks, long byteOffset, long byteSize, BlobSink sink) throws IOException {
    if (byteSize == 0) {
      return 0;
    }
    int first = blocks.blockOf(byteOffset);
    int last = blocks.blockOf(byteOffset + byteSize - 1);
    ByteRange range = new ByteRange(byteOffset - blocks.bytesBefore(first), byteSize);
    RangeSink part = new RangeSink(range, sink);
    DecodedBatches batches = selected.openBatches();
    readAhead(batches, blocks.rowsBefore(first));
    Renderer renderer = first == 0 ? begin(part) : resume(part, blocks.rowsBefore(first));
    write(renderer, batches, blocks.rowsBefore(first), blocks.rowsBefore(last + 1));
    TextBlocks written = last == blocks.count() - 1 ? renderer.end() : renderer.flush();
    return written.byteSize();
  }

  /// Reads the batch with a row before the names of many columns are sent, so that a rejection
  /// still is a response of its own.
  private void readAhead(DecodedBatches batches, long row) throws IOException {
    if (row < selected.rows()) {
      batches.read(batches.batchOf(row));
    }
  }

  private void write(Renderer renderer, DecodedBatches batches, long from, long to)
      throws IOException {
    long row = from;
    while (row < to) {
      int index = batches.batchOf(row);
      long before = batches.rowsBefore(index);
      RecordBatch batch = batches.read(index);
      long end = Math.min(to - before, batch.length());
      renderer.write(batch, row - before, end);
      row = before + end;
    }
  }

  /// Renders the text on all processors, without sending it.
  ///
  /// @return its length, or null if the rendering ended early
  @Nullable TextBlocks measure(TextMeasurement.Progress progress) throws IOException {
    TextBlocks.Builder blocks = new TextBlocks.Builder();
    Renderer head = begin(DISCARDING);
    head.requireRoom(selected.rows());
    blocks.addAll(head.flush());
    boolean complete =
        selected.forEachSlice(
            (batch, from, to, row) -> {
              Renderer renderer = resume(DISCARDING, row);
              renderer.write(batch, from, to);
              return renderer.flush();
            },
            slice -> {
              blocks.addAll(slice);
              check(blocks);
              return progress.shouldContinue(2 * blocks.rows() < selected.rows());
            });
    if (!complete) {
      return null;
    }
    blocks.addAll(resume(DISCARDING, selected.rows()).end());
    check(blocks);
    return blocks.build();
  }

  private void check(TextBlocks.Builder blocks) {
    limit.check(
        blocks.byteSize(), "bytes of rendered text", InputLocation.detail("row " + blocks.rows()));
  }

  private Renderer begin(ByteSink sink) throws IOException {
    return Renderer.begin(format.text(), options, selected.schema(), sink, limit);
  }

  private Renderer resume(ByteSink sink, long row) {
    return Renderer.resume(format.text(), options, selected.schema(), sink, limit, row);
  }
}
