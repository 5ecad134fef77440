package dev.quiver.server.lists;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.formats.Format;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;

/// The list of datasets as Arrow data, a record batch for each page.
public final class DatasetArrowBody implements StreamingBody {

  private final DatasetSource datasets;
  private final Format format;
  private long written;

  /// The end of the last complete record batch, or 0 if absent.
  private long lastBatchEnd;

  public DatasetArrowBody(DatasetSource datasets, Format format) {
    this.datasets = datasets;
    this.format = format;
  }

  /// Returns the points within the bodies of record batches. A reader of a stream takes one that is
  /// truncated between two messages for complete.
  @Override
  public TruncationPoints truncationPoints() {
    return position -> Math.min(position, lastBatchEnd - 1);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    ByteSink counting =
        bytes -> {
          written += bytes.byteSize();
          sink.write(bytes);
        };
    if (format == Format.FILE) {
      FileWriter writer = new FileWriter(counting, DatasetTable.SCHEMA, Codec.NONE);
      datasets.list(page -> write(page, writer::write));
      writer.close(Metadata.EMPTY);
    } else {
      StreamWriter writer = new StreamWriter(counting, DatasetTable.SCHEMA, Codec.NONE);
      datasets.list(page -> write(page, writer::write));
      writer.close();
    }
  }

  private interface Batches {
    void write(RecordBatch batch) throws IOException;
  }

  private void write(List<VersionSummary> page, Batches batches) throws IOException {
    if (!page.isEmpty()) {
      try (Arena arena = Arena.ofConfined()) {
        batches.write(DatasetTable.batch(page, arena));
      }
      lastBatchEnd = written;
    }
  }
}
