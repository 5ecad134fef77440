package dev.quiver.formats.json;

import dev.quiver.formats.value.ByteOrderMark;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/// The start of a JSON file, as far as a reader of its first rows needs it.
public final class JsonStart {

  private static final int MARK_BYTE_SIZE_MAXIMUM = 4;

  private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private JsonStart() {}

  /// Reads a file up to the last of its first rows, and of those that decide on its columns. The
  /// file is read to its end if it has fewer, if it is one object, if it is invalid, or if it is
  /// UTF-16 or UTF-32.
  ///
  /// @param file read ahead by the parser, at most as far as its last read
  /// @param rows the number of these rows
  /// @return the bytes that they take, or [Long#MAX_VALUE] for all
  public static long read(InputStream file, long rows) throws IOException {
    byte[] start = file.readNBytes(MARK_BYTE_SIZE_MAXIMUM);
    int markByteSize =
        Arrays.mismatch(start, UTF_8_MARK) == UTF_8_MARK.length ? UTF_8_MARK.length : 0;
    long byteSize = Long.MAX_VALUE;
    if (markByteSize > 0 || ByteOrderMark.of(start) == null) {
      ResumedStream text = new ResumedStream(start, file);
      text.skipNBytes(markByteSize);
      byteSize = byteSize(text, rows);
      byteSize += byteSize == Long.MAX_VALUE ? 0 : markByteSize;
    }
    if (byteSize == Long.MAX_VALUE) {
      file.transferTo(OutputStream.nullOutputStream());
    }
    return byteSize;
  }

  private static long byteSize(InputStream file, long rows) throws IOException {
    long wanted = Math.max(rows, JsonFile.SAMPLE_ROWS_MAXIMUM);
    try (JsonParser parser =
        JsonParserTokens.STREAMS.createParser(ObjectReadContext.empty(), file)) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_ARRAY) {
        token = parser.nextToken();
      }
      for (long row = 1; token == JsonToken.START_OBJECT; row++) {
        parser.skipChildren();
        if (row == wanted) {
          return parser.currentLocation().getByteOffset();
        }
        token = parser.nextToken();
      }
      return Long.MAX_VALUE;
    } catch (JacksonException invalid) {
      // It is found again, and reported.
      return Long.MAX_VALUE;
    }
  }

  /// A stream after bytes that were read of it. It is not closed.
  private static final class ResumedStream extends InputStream {

    private final byte[] start;
    private final InputStream rest;
    private int position;

    ResumedStream(byte[] start, InputStream rest) {
      this.start = start;
      this.rest = rest;
    }

    @Override
    public int read() throws IOException {
      return position < start.length ? start[position++] & 0xFF : rest.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (position == start.length) {
        return rest.read(bytes, offset, length);
      }
      int count = Math.min(length, start.length - position);
      System.arraycopy(start, position, bytes, offset, count);
      position += count;
      return count;
    }
  }
}
