package dev.quiver.web.representation;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.ipc.FileWriter;
import dev.quiver.ipc.StreamWriter;
import dev.quiver.ipc.TruncationPoints;
import dev.quiver.memory.ByteSink;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.resource.StoredFormat;
import dev.quiver.web.response.StreamingBody;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;

/// The list of datasets as Arrow data, a record batch for each page.
public final class DatasetArrowBody implements StreamingBody {

  private final DatasetSource datasets;
  private final StoredFormat format;
  private long written;

  /// The end of the last complete record batch, or 0 if absent.
  private long lastBatchEnd;

  public DatasetArrowBody(DatasetSource datasets, StoredFormat format) {
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
    switch (format) {
      case FILE -> {
        FileWriter writer = new FileWriter(counting, DatasetTable.SCHEMA, Codec.NONE);
        datasets.list(page -> write(page, writer::write));
        writer.close(Metadata.EMPTY);
      }
      case STREAM -> {
        StreamWriter writer = new StreamWriter(counting, DatasetTable.SCHEMA, Codec.NONE);
        datasets.list(page -> write(page, writer::write));
        writer.close();
      }
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
