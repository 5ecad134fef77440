package dev.quiver.arrow.array;

import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.util.List;

/// Columns of equal length.
///
/// @param length rows, even if the batch has no columns
/// @param customMetadata the metadata of the message that carried the batch
public record RecordBatch(
    Schema schema, long length, List<ArrayData> columns, Metadata customMetadata) {

  public RecordBatch {
    columns = List.copyOf(columns);
  }

  public RecordBatch(Schema schema, long length, List<ArrayData> columns) {
    this(schema, length, columns, Metadata.EMPTY);
  }
}
