package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.BodySize;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.ipc.Framing;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Consecutive rows of a record batch.
///
/// @param offset the first row
/// @param length the number of rows
public record RowRange(long offset, long length) {

  public RowRange {
    Objects.checkFromIndexSize(offset, length, Long.MAX_VALUE);
  }

  /// Returns the range of all rows of the batch.
  public static RowRange all(RecordBatch batch) {
    return new RowRange(0, batch.length());
  }

  /// Returns a batch of exactly these rows, which shares memory with `batch` where possible. It
  /// keeps the message's metadata.
  ///
  /// @param batch a batch with valid offsets
  /// @param allocator for copies
  public RecordBatch of(RecordBatch batch, SegmentAllocator allocator) {
    Objects.checkFromIndexSize(offset, length, batch.length());
    List<ArrayData> columns = new ArrayList<>();
    for (ArrayData column : batch.columns()) {
      ArrayData slice = Slices.slice(column, offset, length, allocator);
      columns.add(Concatenation.compact(slice, allocator));
    }
    return new RecordBatch(batch.schema(), length, columns, batch.customMetadata());
  }

  /// Returns the body size of the batch from [#of], written without compression.
  public long byteSize(RecordBatch batch) {
    return byteSize(batch, Framing.BODY_ALIGNMENT);
  }

  /// Returns the bytes of the array's buffers, each padded to a multiple of `alignment`.
  long byteSize(RecordBatch batch, int alignment) {
    return batch.columns().stream()
        .mapToLong(column -> BodySize.byteSize(column, offset, length, alignment))
        .sum();
  }
}
