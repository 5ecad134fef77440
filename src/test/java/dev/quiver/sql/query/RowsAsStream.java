package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.BatchStream;
import dev.quiver.formats.UploadData;

/// The rows of a file as an IPC stream, so that tests read all formats alike.
final class RowsAsStream {

  private RowsAsStream() {}

  static ByteSource of(ForeignRows rows) {
    return switch (rows.data()) {
      case UploadData.Arrow(ByteSource stream, _, _, _) -> stream;
      case UploadData.Batches(BatchStream stream, _) -> stream;
    };
  }
}
