package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.RecordBatch;
import java.util.ArrayList;
import java.util.List;

/// A splitter of a batch into row ranges with bodies of about a given size.
///
/// Rows may share bytes: many views share a buffer, and many rows a run. Each part has its own copy
/// of them after a split. So a batch is not split further if its parts together would exceed twice
/// its size.
public final class BatchSplitter {

  /// Bodies above this size are large.
  public static final long LARGE_BODY_BYTE_SIZE = 64 << 20;

  /// The number of parts that a range is split into at once; each part may then be split again.
  private static final long PARTS_MAXIMUM = 1024;

  private final RecordBatch batch;
  private final long targetByteSize;
  private final List<RowRange> ranges = new ArrayList<>();
  private long spareByteSize;
  private long lastByteSize;

  private BatchSplitter(RecordBatch batch, long targetByteSize) {
    this.batch = batch;
    this.targetByteSize = targetByteSize;
  }

  /// Returns the row ranges in order, or one range of all rows if the batch is not too large.
  ///
  /// A range has at most one and a half times `byteSize` bytes, unless it is a single row or
  /// splitting does not make it smaller.
  ///
  /// @param batch a batch with valid offsets
  /// @param byteSize the intended size of a range's body in bytes, at least 1
  public static List<RowRange> split(RecordBatch batch, long byteSize) {
    BatchSplitter splitter = new BatchSplitter(batch, byteSize);
    RowRange all = RowRange.all(batch);
    long allByteSize = all.byteSize(batch);
    splitter.spareByteSize = allByteSize;
    splitter.split(all, allByteSize);
    return List.copyOf(splitter.ranges);
  }

  private void split(RowRange range, long byteSize) {
    long targetParts = Math.min(Math.ceilDiv(byteSize, targetByteSize), PARTS_MAXIMUM);
    int parts = (int) Math.min(targetParts, range.length());
    if (byteSize <= targetByteSize + targetByteSize / 2 || parts < 2) {
      add(range, byteSize);
      return;
    }
    long[] byteSizes = new long[parts];
    long sum = 0;
    for (int i = 0; i < parts; i++) {
      byteSizes[i] = part(range, i, parts).byteSize(batch);
      sum += byteSizes[i];
      // Stops here, since measuring each remaining part may take as long again.
      if (sum > byteSize + spareByteSize) {
        add(range, byteSize);
        return;
      }
    }
    spareByteSize -= Math.max(0, sum - byteSize);
    for (int i = 0; i < parts; i++) {
      split(part(range, i, parts), byteSizes[i]);
    }
  }

  private static RowRange part(RowRange range, int index, int parts) {
    long start = partStart(range, index, parts);
    return new RowRange(start, partStart(range, index + 1, parts) - start);
  }

  /// Returns the start of one of several equal parts, the longer ones first.
  private static long partStart(RowRange range, int index, int parts) {
    long rows = range.length() / parts;
    long longer = range.length() % parts;
    return range.offset() + index * rows + Math.min(index, longer);
  }

  /// Adds a range, merged with the previous one if together they are small enough.
  private void add(RowRange range, long byteSize) {
    if (!ranges.isEmpty() && lastByteSize + byteSize <= targetByteSize) {
      RowRange last = ranges.removeLast();
      ranges.add(new RowRange(last.offset(), last.length() + range.length()));
      lastByteSize += byteSize;
    } else {
      ranges.add(range);
      lastByteSize = byteSize;
    }
  }
}
