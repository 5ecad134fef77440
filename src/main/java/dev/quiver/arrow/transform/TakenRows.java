package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.array.TakenSizes;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Rows of a record batch, in any order and any number of times. [RowRange] is for consecutive
/// ones.
///
/// @param rows the rows in the order of the result
public record TakenRows(SlotRanges rows) {

  /// Returns a batch of exactly these rows. It keeps the message's metadata.
  ///
  /// @param batch a batch with valid offsets
  /// @param allocator for copies and working memory
  /// @throws IndexOutOfBoundsException if the batch does not have these rows
  /// @throws IllegalArgumentException if rows repeat, and offsets or run ends would overflow their
  ///   type
  public RecordBatch of(RecordBatch batch, SegmentAllocator allocator) {
    Objects.checkFromToIndex(0, rows.end(), batch.length());
    List<ArrayData> columns = new ArrayList<>();
    for (ArrayData column : batch.columns()) {
      columns.add(Take.take(column, rows, allocator, allocator));
    }
    return new RecordBatch(batch.schema(), rows.length(), columns, batch.customMetadata());
  }

  /// Returns a batch whose buffers have the sizes of the taken rows' buffers, and undefined
  /// content, or null if a column has no faster way to find them. Rows are in ascending order, each
  /// once.
  ///
  /// @throws IndexOutOfBoundsException if the batch does not have these rows
  public @Nullable RecordBatch sizesOf(RecordBatch batch) {
    List<ArrayData> columns = new ArrayList<>();
    for (ArrayData column : batch.columns()) {
      ArrayData sizes = TakenSizes.of(column, rows);
      if (sizes == null) {
        return null;
      }
      columns.add(sizes);
    }
    return new RecordBatch(batch.schema(), rows.length(), columns, batch.customMetadata());
  }
}
