package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.BatchStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Rows that are read from a file, whose bytes are bounded by the file's: a few kilobytes of
/// Parquet can state billions of equal rows.
final class ExpandedRows implements ByteSource {

  private final ByteSource rows;
  private final long fileByteSize;
  private final Limits limits;
  private long byteSize;

  ExpandedRows(ByteSource rows, long fileByteSize, Limits limits) {
    this.rows = rows;
    this.fileByteSize = fileByteSize;
    this.limits = limits;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = rows.read(destination);
    if (count > 0) {
      byteSize += count;
      BatchStream.requireRatio(byteSize, fileByteSize, limits);
    }
    return count;
  }
}
