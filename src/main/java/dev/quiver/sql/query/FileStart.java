package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.formats.csv.CsvStart;
import dev.quiver.formats.json.JsonStart;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The start of a file that arrives, as far as a reader of its first rows needs it.
final class FileStart {

  private FileStart() {}

  /// Receives a file: to its end, or until it has the first rows and those that decide on its
  /// columns, if its format tells that while the file arrives.
  ///
  /// @param rows the number of these rows, or [Long#MAX_VALUE] for all
  static SpooledFile receive(ByteSource body, FileOptions format, long rows, Spool spool)
      throws IOException {
    ByteSource file = format.checked(body);
    if (rows == Long.MAX_VALUE) {
      return SpooledFile.of(file, spool);
    }
    return switch (format) {
      case FileOptions.Csv(CsvOptions options, _) ->
          SpooledFile.received(
              sink -> {
                CopiedFile copied = new CopiedFile(file, sink);
                CsvStart.read(copied, options, rows);
                copied.end(Long.MAX_VALUE);
              },
              spool);
      case FileOptions.Json _ -> SpooledFile.received(sink -> copyJson(file, rows, sink), spool);
      case FileOptions.Excel _, FileOptions.Parquet _ -> SpooledFile.of(file, spool);
    };
  }

  private static void copyJson(ByteSource file, long rows, ByteSink sink) throws IOException {
    CopiedFile copied = new CopiedFile(file, sink);
    copied.end(JsonStart.read(copied, rows));
  }

  /// A file whose bytes are copied as they are read: those of the last read once the next one
  /// follows, or at the end.
  private static final class CopiedFile extends InputStream {

    private final ByteSource file;
    private final ByteSink copy;

    /// The bytes of the last read.
    private byte[] last = {};

    /// The bytes that were copied.
    private long byteSize;

    CopiedFile(ByteSource file, ByteSink copy) {
      this.file = file;
      this.copy = copy;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      end(Long.MAX_VALUE);
      MemorySegment destination = MemorySegment.ofArray(bytes).asSlice(offset, length);
      int count = (int) file.read(destination);
      if (count > 0) {
        last = Arrays.copyOfRange(bytes, offset, offset + count);
      }
      return count;
    }

    /// Copies the bytes of the last read.
    ///
    /// @param most the bytes that the copy may have, from the start of the file
    void end(long most) throws IOException {
      int count = (int) Math.min(last.length, most - byteSize);
      copy.write(MemorySegment.ofArray(last).asSlice(0, count));
      byteSize += count;
      last = new byte[0];
    }
  }
}
