package dev.quiver.arrow.array;

import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;

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

  /// Returns the same batch with other segments for the buffers of its columns.
  public RecordBatch withBuffers(UnaryOperator<MemorySegment> replacement) {
    List<ArrayData> replaced =
        columns.stream().map(column -> column.withBuffers(replacement)).toList();
    return new RecordBatch(schema, length, replaced, customMetadata);
  }
}
