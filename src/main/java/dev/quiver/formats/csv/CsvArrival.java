package dev.quiver.formats.csv;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The bytes of a CSV file as they arrive. A line that is longer than any record may be ends them,
/// so that such a file does not take space first. Used by one thread.
public final class CsvArrival implements ByteSource {

  /// A character of a record may have two bytes in place of one.
  private static final long LINE_BYTE_SIZE_MAXIMUM = 2L * CsvInput.RECORD_BYTE_SIZE_MAXIMUM;

  private final ByteSource file;

  /// The bytes since the last end of a line.
  private long lineByteSize;

  public CsvArrival(ByteSource file) {
    this.file = file;
  }

  /// @throws ForeignDataException if a line is too long
  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = file.read(destination);
    long end = count;
    while (end > 0 && !isLineEnd(LittleEndian.getInt8(destination, end - 1))) {
      end--;
    }
    lineByteSize = end > 0 ? count - end : lineByteSize + Math.max(0, count);
    if (lineByteSize > LINE_BYTE_SIZE_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected records of at most %,d bytes but found a longer one"
              .formatted(CsvInput.RECORD_BYTE_SIZE_MAXIMUM));
    }
    return count;
  }

  private static boolean isLineEnd(byte value) {
    return value == '\n' || value == '\r';
  }
}
