package dev.quiver.formats.json;

import dev.quiver.formats.value.ByteOrderMark;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/// The start of a JSON file, as far as a reader of its first rows needs it.
public final class JsonStart {

  private static final int MARK_BYTE_SIZE_MAXIMUM = 4;

  private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private JsonStart() {}

  /// Returns the text up to the end of its last whole record, with the brackets that it lacks; or
  /// all of it without any. The records are the objects of an array, of an array that is a member
  /// of the only object, or those that follow each other.
  ///
  /// @param start may end within a record, or a character
  public static byte[] wholeRecords(byte[] start) {
    ByteOrderMark mark = ByteOrderMark.of(start);
    byte[] text =
        mark == null
            ? start
            : new String(start, mark.byteSize(), start.length - mark.byteSize(), mark.charset())
                .getBytes(StandardCharsets.UTF_8);
    byte[] outer = new byte[2];
    int depth = 0;
    int end = 0;
    String rest = "";
    boolean isText = false;
    boolean hasObjects = false;
    for (int i = 0; i < text.length; i++) {
      byte character = text[i];
      if (isText) {
        if (character == '\\') {
          i++;
        } else if (character == '"') {
          isText = false;
        }
        continue;
      }
      switch (character) {
        case '"' -> isText = true;
        case '{', '[' -> {
          if (depth < outer.length) {
            outer[depth] = character;
          }
          depth++;
        }
        case '}', ']' -> {
          depth = Math.max(0, depth - 1);
          String closed = hasObjects && depth > 0 ? null : brackets(outer, depth);
          if (closed != null) {
            hasObjects |= depth == 0;
            end = i + 1;
            rest = closed;
          }
        }
        default -> {
          // A part of a scalar, or between values.
        }
      }
    }
    if (end == 0) {
      return text;
    }
    byte[] records = Arrays.copyOf(text, end + rest.length());
    System.arraycopy(rest.getBytes(StandardCharsets.US_ASCII), 0, records, end, rest.length());
    return records;
  }

  /// Returns the brackets that end the text after a value, or null if it is no record.
  ///
  /// @param outer the brackets that were opened first
  /// @param depth how many are open
  private static @Nullable String brackets(byte[] outer, int depth) {
    return switch (depth) {
      case 0 -> "";
      case 1 -> outer[0] == '[' ? "]" : null;
      case 2 -> outer[0] == '{' && outer[1] == '[' ? "]}" : null;
      default -> null;
    };
  }

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
