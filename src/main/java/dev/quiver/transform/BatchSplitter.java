package dev.quiver.transform;

import dev.quiver.columnar.RecordBatch;
import java.util.ArrayList;
import java.util.List;

/// Cuts a batch into runs of rows whose bodies are of about some size.
///
/// Rows may share bytes: many views one buffer, many rows one run. Cut, each part has them, so a
/// batch is not cut any further when the parts together would be more than twice the whole.
public final class BatchSplitter {

  /// Bodies of more bytes are large.
  public static final long LARGE_BODY_BYTE_SIZE = 64 << 20;

  /// The parts that a run of rows is cut into at once; each may then be cut again.
  private static final long PARTS_MAXIMUM = 1024;

  private final RecordBatch batch;
  private final long wantedByteSize;
  private final List<RowRange> ranges = new ArrayList<>();
  private long spareByteSize;
  private long lastByteSize;

  private BatchSplitter(RecordBatch batch, long wantedByteSize) {
    this.batch = batch;
    this.wantedByteSize = wantedByteSize;
  }

  /// The runs of rows, in order; one of all rows when the batch is not too large.
  ///
  /// A run is of at most one and a half times `byteSize` bytes, unless it is a single row or does
  /// not get smaller by being cut.
  ///
  /// @param batch which is valid as far as its offsets go
  /// @param byteSize what the body of a run should be, in bytes, 1 or more
  public static List<RowRange> split(RecordBatch batch, long byteSize) {
    BatchSplitter cutter = new BatchSplitter(batch, byteSize);
    RowRange all = RowRange.all(batch);
    long allByteSize = all.byteSize(batch);
    cutter.spareByteSize = allByteSize;
    cutter.split(all, allByteSize);
    return List.copyOf(cutter.ranges);
  }

  private void split(RowRange range, long byteSize) {
    long wantedParts = Math.min(Math.ceilDiv(byteSize, wantedByteSize), PARTS_MAXIMUM);
    int parts = (int) Math.min(wantedParts, range.length());
    if (byteSize <= wantedByteSize + wantedByteSize / 2 || parts < 2) {
      add(range, byteSize);
      return;
    }
    long[] byteSizes = new long[parts];
    long sum = 0;
    for (int i = 0; i < parts; i++) {
      byteSizes[i] = part(range, i, parts).byteSize(batch);
      sum += byteSizes[i];
      // The rest need not be measured, which may take as long again for each part.
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

  /// Where equal parts start, the longer ones first.
  private static long partStart(RowRange range, int index, int parts) {
    long rows = range.length() / parts;
    long longer = range.length() % parts;
    return range.offset() + index * rows + Math.min(index, longer);
  }

  /// Adds a run, to the one before it as long as both are small.
  private void add(RowRange range, long byteSize) {
    if (!ranges.isEmpty() && lastByteSize + byteSize <= wantedByteSize) {
      RowRange last = ranges.removeLast();
      ranges.add(new RowRange(last.offset(), last.length() + range.length()));
      lastByteSize += byteSize;
    } else {
      ranges.add(range);
      lastByteSize = byteSize;
    }
  }
}
