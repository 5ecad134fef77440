package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Rows that are read from a file, whose bytes are bounded by the file's: a few kilobytes of
/// Parquet can state billions of equal rows.
final class ExpandedRows implements ByteSource {

  /// The bytes that any file may have as rows.
  static final long FREE_BYTE_SIZE = 256L << 20;

  private final ByteSource rows;
  private final long fileByteSize;
  private final Limits limits;
  private long byteSize;

  ExpandedRows(ByteSource rows, long fileByteSize, Limits limits) {
    this.rows = rows;
    this.fileByteSize = fileByteSize;
    this.limits = limits;
  }

  /// Checks the bytes of rows that a file has.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if there are too many
  static void requireRatio(long byteSize, long fileByteSize, Limits limits) {
    long excess = byteSize - FREE_BYTE_SIZE;
    if (excess > 0) {
      limits
          .decompressionRatio()
          .check(
              Math.ceilDiv(excess, Math.max(1, fileByteSize)),
              "bytes of rows per byte of the file, past the first " + FREE_BYTE_SIZE,
              InputLocation.UNKNOWN);
    }
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = rows.read(destination);
    if (count > 0) {
      byteSize += count;
      requireRatio(byteSize, fileByteSize, limits);
    }
    return count;
  }
}
