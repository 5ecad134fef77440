package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.csv.CsvFile;
import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.formats.csv.CsvStart;
import dev.quiver.formats.json.JsonOptions;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// The start of a file that arrives, as far as a reader of its first rows needs it.
final class FileStart {

  /// The lines of JSON that decide on the columns.
  private static final int SAMPLE_LINES = CsvFile.SAMPLE_ROWS_MAXIMUM;

  private static final int CHUNK_BYTE_SIZE = 64 << 10;

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
      case FileOptions.Csv(CsvOptions options) ->
          SpooledFile.received(
              sink -> CsvStart.read(new CopiedFile(file, sink), options, rows), spool);
      case FileOptions.Json(JsonOptions options) when options.isLines() ->
          SpooledFile.received(sink -> copyLines(file, Math.max(rows, SAMPLE_LINES), sink), spool);
      case FileOptions.Json _, FileOptions.Parquet _ -> SpooledFile.of(file, spool);
    };
  }

  /// Copies the lines that are not blank, up to a number of them.
  private static void copyLines(ByteSource file, long lines, ByteSink sink) throws IOException {
    byte[] bytes = new byte[CHUNK_BYTE_SIZE];
    MemorySegment chunk = MemorySegment.ofArray(bytes);
    long rest = lines;
    boolean blank = true;
    for (int count = (int) file.read(chunk); count >= 0; count = (int) file.read(chunk)) {
      int end = 0;
      while (end < count && rest > 0) {
        byte c = bytes[end++];
        if (c == '\n') {
          rest -= blank ? 0 : 1;
          blank = true;
        } else if (c != ' ' && c != '\t' && c != '\r') {
          blank = false;
        }
      }
      sink.write(chunk.asSlice(0, end));
      if (rest == 0) {
        return;
      }
    }
  }

  /// A file whose bytes are copied as they are read.
  private static final class CopiedFile extends InputStream {

    private final ByteSource file;
    private final ByteSink copy;

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
      MemorySegment destination = MemorySegment.ofArray(bytes).asSlice(offset, length);
      int count = (int) file.read(destination);
      if (count > 0) {
        copy.write(destination.asSlice(0, count));
      }
      return count;
    }
  }
}
