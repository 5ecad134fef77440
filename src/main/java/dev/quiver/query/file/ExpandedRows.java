package dev.quiver.query.file;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.memory.ByteSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Rows that are read from a file, whose bytes are bounded by those of the file: a few kilobytes of
/// Parquet can state billions of equal rows.
final class ExpandedRows implements ByteSource {

  /// The bytes that any file may have as rows.
  static final long FREE_BYTE_SIZE = 256L << 20;

  private final ByteSource rows;
  private final long fileByteSize;
  private final Limit ratio;
  private long byteSize;

  ExpandedRows(ByteSource rows, long fileByteSize, Limits limits) {
    this.rows = rows;
    this.fileByteSize = Math.max(1, fileByteSize);
    this.ratio = limits.decompressionRatio();
  }

  /// Returns the limit on the bytes that the rows of a file may have.
  static Limit limit(long fileByteSize, Limits limits) {
    Limit ratio = limits.decompressionRatio();
    double maximum = FREE_BYTE_SIZE + (double) ratio.maximum() * fileByteSize;
    return new Limit(ratio.name(), (long) maximum);
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = rows.read(destination);
    if (count > 0) {
      byteSize += count;
      long excess = byteSize - FREE_BYTE_SIZE;
      if (excess > 0) {
        ratio.check(
            Math.ceilDiv(excess, fileByteSize),
            "bytes of rows per byte of the file, past the first " + FREE_BYTE_SIZE,
            InputLocation.UNKNOWN);
      }
    }
    return count;
  }
}
