package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;

/// A decoder of raw Snappy data, without the framing format.
///
/// ```text
/// Data    → ContentLength:varint Element*
/// Element → Tag [Length] Literal | Tag Offset
/// ```
///
/// A literal is content itself; a copy repeats earlier content. Sizes are checked before use, and
/// bytes are only accessed through arrays. Elements are copied in words of eight bytes, which may
/// end in the [#ROOM] after the data. See
/// <https://github.com/google/snappy/blob/main/format_description.txt>.
public final class Snappy {

  /// The bytes that both arrays have after their data. Their content is undefined.
  public static final int ROOM = 64;

  private static final int WORD = Long.BYTES;
  private static final int LENGTH_SHIFT_MAXIMUM = 28;

  /// The longest literal that is copied as two words. Most literals are that short.
  private static final int SHORT_MAXIMUM = 2 * WORD;

  /// The longest literal whose length is in its tag. Longer ones have a length of 1 to 4 bytes.
  private static final int LENGTH_IN_TAG_MAXIMUM = 60;

  private static final int LITERAL = 0;
  private static final int COPY_WITH_OFFSET_OF_1_BYTE = 1;
  private static final int COPY_WITH_OFFSET_OF_2_BYTES = 2;

  private final byte[] source;
  private final byte[] destination;
  private final int sourceStart;
  private final int sourceEnd;
  private final int destinationEnd;

  private Snappy(byte[] source, int start, int end, byte[] destination, int contentByteSize) {
    this.source = source;
    this.sourceStart = start;
    this.sourceEnd = end;
    this.destination = destination;
    this.destinationEnd = contentByteSize;
  }

  /// Decompresses the bytes from `start` to `end` into the start of `destination`.
  ///
  /// @param source an array with [#ROOM] bytes after `end`
  /// @param destination an array with [#ROOM] bytes after the content
  /// @param contentByteSize the expected size of the content
  /// @throws MalformedInputException if the bytes are not Snappy data with content of that size
  public static void decompress(
      byte[] source, int start, int end, byte[] destination, int contentByteSize) {
    if (start < 0
        || start > end
        || end > source.length - ROOM
        || contentByteSize < 0
        || contentByteSize > destination.length - ROOM) {
      throw new IllegalArgumentException("Arrays without room");
    }
    Snappy snappy = new Snappy(source, start, end, destination, contentByteSize);
    snappy.decode(snappy.requireContentLength());
  }

  /// @return the offset of the first element
  private int requireContentLength() {
    int position = sourceStart;
    long length = 0;
    int shift = 0;
    int next = -1;
    while (next < 0 && shift <= LENGTH_SHIFT_MAXIMUM && position < sourceEnd) {
      next = source[position++];
      length |= (next & 0x7FL) << shift;
      shift += 7;
    }
    if (next < 0) {
      throw malformed("a content length in Snappy data", "other bytes", sourceStart);
    }
    if (length != destinationEnd) {
      throw malformed(
          "%d bytes of content in Snappy data".formatted(destinationEnd),
          Long.toString(length),
          sourceStart);
    }
    return position;
  }

  /// Decodes the elements. Positions are local variables, which the compiler keeps in registers.
  private void decode(int start) {
    byte[] from = source;
    byte[] to = destination;
    int position = start;
    int output = 0;
    while (position < sourceEnd) {
      int tag = from[position++] & 0xFF;
      if ((tag & 3) == LITERAL) {
        int length = (tag >>> 2) + 1;
        if (length <= SHORT_MAXIMUM
            && length <= sourceEnd - position
            && length <= destinationEnd - output) {
          LittleEndian.setInt64(to, output, LittleEndian.getInt64(from, position));
          LittleEndian.setInt64(to, output + WORD, LittleEndian.getInt64(from, position + WORD));
        } else {
          if (length > LENGTH_IN_TAG_MAXIMUM) {
            int byteSize = length - LENGTH_IN_TAG_MAXIMUM;
            length = longLength(position, byteSize);
            position += byteSize;
          }
          copyLiteral(position, output, length);
        }
        position += length;
        output += length;
      } else {
        int length;
        int offset;
        if ((tag & 3) == COPY_WITH_OFFSET_OF_1_BYTE) {
          length = 4 + (tag >>> 2 & 7);
          offset = tag >>> 5 << Byte.SIZE | from[position++] & 0xFF;
        } else if ((tag & 3) == COPY_WITH_OFFSET_OF_2_BYTES) {
          length = 1 + (tag >>> 2);
          offset = LittleEndian.getInt16(from, position) & 0xFFFF;
          position += Short.BYTES;
        } else {
          length = 1 + (tag >>> 2);
          offset = LittleEndian.getInt32(from, position);
          position += Integer.BYTES;
        }
        if (offset <= 0 || offset > output || length > destinationEnd - output) {
          throw malformed(
              "a Snappy copy within the content",
              "offset %d and length %d".formatted(offset, length),
              position);
        }
        copy(to, output, offset, length);
        output += length;
      }
    }
    if (position != sourceEnd || output != destinationEnd) {
      throw malformed(
          "%d bytes of content in Snappy data".formatted(destinationEnd),
          Integer.toString(output),
          sourceEnd);
    }
  }

  /// Returns the length of a long literal. The bytes may be in the room after the source, which
  /// [#copyLiteral] detects.
  private int longLength(int position, int byteSize) {
    long mask = (1L << byteSize * Byte.SIZE) - 1;
    long length = (LittleEndian.getInt32(source, position) & mask) + 1;
    if (length > Integer.MAX_VALUE) {
      throw malformed("a Snappy literal of less than 2 GiB", length + " bytes", position);
    }
    return (int) length;
  }

  private void copyLiteral(int position, int output, int length) {
    if (length > sourceEnd - position || length > destinationEnd - output) {
      throw malformed(
          "a Snappy literal within the data and its content", length + " bytes", position);
    }
    System.arraycopy(source, position, destination, output, length);
  }

  /// Repeats content. If the offset is less than a word, the copy overlaps its own words.
  private static void copy(byte[] bytes, int output, int offset, int length) {
    int from = output - offset;
    if (offset < WORD) {
      for (int i = 0; i < length; i++) {
        bytes[output + i] = bytes[from + i];
      }
      return;
    }
    LittleEndian.setInt64(bytes, output, LittleEndian.getInt64(bytes, from));
    for (int i = WORD; i < length; i += WORD) {
      LittleEndian.setInt64(bytes, output + i, LittleEndian.getInt64(bytes, from + i));
    }
  }

  private MalformedInputException malformed(String expected, String found, int position) {
    return new MalformedInputException(
        expected, found, InputLocation.byteOffset(position - sourceStart));
  }
}
