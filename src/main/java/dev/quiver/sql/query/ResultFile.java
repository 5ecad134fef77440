package dev.quiver.sql.query;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.store.read.PlainRowSize;
import java.io.IOException;

/// The rows of a result as an IPC file, and its figures once it is written.
final class ResultFile {

  private final ResultBatches batches;
  private long rowCount;
  private long rowByteSize;

  ResultFile(ResultBatches batches) {
    this.batches = batches;
  }

  /// Reads the result to its end.
  ///
  /// @throws dev.quiver.sql.execution.SqlException if the statement fails
  void writeTo(ByteSink sink) throws IOException {
    FileWriter writer = new FileWriter(sink, batches.schema(), Codec.NONE);
    for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
      writer.write(batch);
      rowCount += batch.length();
      rowByteSize = Math.max(rowByteSize, PlainRowSize.of(batch));
    }
    writer.close(Metadata.EMPTY);
  }

  /// Returns the number of rows that were written.
  long rowCount() {
    return rowCount;
  }

  /// Returns the mean size of a row, without any encoding, in the batch whose rows are the largest.
  long rowByteSize() {
    return rowByteSize;
  }
}
