package dev.quiver.server.sql;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.text.Renderer;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.formats.Format;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.store.blob.BlobSink;
import java.io.IOException;

/// The result of a statement, which is sent while it is computed.
public final class ResultBody implements StreamingBody {

  private final ResultBatches batches;
  private final Format format;
  private final Codec codec;
  private final TextOptions options;
  private final Limit textLimit;
  private long written;

  /// The end of the last complete record batch, or 0 if absent.
  private long lastBatchEnd;

  /// @param codec the codec of Arrow data
  /// @param options the form of text
  /// @param textLimit the limit on the bytes of text
  public ResultBody(
      ResultBatches batches, Format format, Codec codec, TextOptions options, Limit textLimit) {
    this.batches = batches;
    this.format = format;
    this.codec = codec;
    this.options = options;
    this.textLimit = textLimit;
  }

  /// Returns the points within the bodies of record batches. A reader of a stream takes one that is
  /// truncated between two messages for complete.
  @Override
  public TruncationPoints truncationPoints() {
    return format.family() == Format.Family.TEXT
        ? TruncationPoints.anywhere()
        : position -> Math.min(position, lastBatchEnd - 1);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    if (format.family() == Format.Family.TEXT) {
      Renderer renderer = Renderer.begin(format.text(), options, batches.schema(), sink, textLimit);
      writeBatches(renderer::write);
      renderer.end();
    } else {
      writeArrow(sink);
    }
  }

  private void writeArrow(BlobSink sink) throws IOException {
    ByteSink counting =
        bytes -> {
          written += bytes.byteSize();
          sink.write(bytes);
        };
    if (format == Format.FILE) {
      FileWriter writer = new FileWriter(counting, batches.schema(), codec);
      writeBatches(writer::write);
      writer.close(Metadata.EMPTY);
    } else {
      StreamWriter writer = new StreamWriter(counting, batches.schema(), codec);
      writeBatches(writer::write);
      writer.close();
    }
  }

  private interface BatchSink {
    void write(RecordBatch batch) throws IOException;
  }

  private void writeBatches(BatchSink sink) throws IOException {
    for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
      sink.write(batch);
      lastBatchEnd = written;
    }
  }
}
