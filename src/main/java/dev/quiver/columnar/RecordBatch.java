package dev.quiver.columnar;

import java.util.List;

/// Equally long columns.
///
/// @param length rows, which also a batch without columns has
/// @param customMetadata of the message that carried the batch
public record RecordBatch(
    Schema schema, long length, List<ArrayData> columns, Metadata customMetadata) {

  public RecordBatch {
    columns = List.copyOf(columns);
  }

  public RecordBatch(Schema schema, long length, List<ArrayData> columns) {
    this(schema, length, columns, Metadata.EMPTY);
  }
}
