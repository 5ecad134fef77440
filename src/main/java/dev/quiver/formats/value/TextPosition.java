package dev.quiver.formats.value;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/// A place in a text. Lines end with a line feed, a carriage return, or both.
///
/// @param line counted from 1
/// @param column the number of the character in its line, counted from 1
public record TextPosition(long line, long column) {

  private static final int BUFFER_BYTE_SIZE = 64 << 10;

  /// Returns the place of a byte.
  ///
  /// @param text UTF-8 from its start, read up to that byte
  public static TextPosition of(InputStream text, long byteOffset) throws IOException {
    long line = 1;
    long column = 1;
    byte previous = 0;
    byte[] buffer = new byte[BUFFER_BYTE_SIZE];
    long remaining = byteOffset;
    int count;
    while (remaining > 0
        && (count = text.read(buffer, 0, (int) Math.min(buffer.length, remaining))) >= 0) {
      for (int i = 0; i < count; i++) {
        byte b = buffer[i];
        if (b == '\n' || b == '\r') {
          line += b == '\n' && previous == '\r' ? 0 : 1;
          column = 1;
        } else if ((b & 0xC0) != 0x80) {
          column++;
        }
        previous = b;
      }
      remaining -= count;
    }
    return new TextPosition(line, column);
  }

  /// Returns the numbers of the lines in which some bytes are.
  ///
  /// @param text UTF-8 from its start, read up to the last of these bytes
  /// @param byteOffsets in ascending order
  public static List<Long> lines(InputStream text, List<Long> byteOffsets) throws IOException {
    List<Long> lines = new ArrayList<>();
    byte[] buffer = new byte[BUFFER_BYTE_SIZE];
    long line = 1;
    long offset = 0;
    byte previous = 0;
    for (long byteOffset : byteOffsets) {
      int count = 0;
      while (offset < byteOffset && count >= 0) {
        count = text.read(buffer, 0, (int) Math.min(buffer.length, byteOffset - offset));
        for (int i = 0; i < count; i++) {
          byte b = buffer[i];
          line += b == '\r' || b == '\n' && previous != '\r' ? 1 : 0;
          previous = b;
        }
        offset += Math.max(0, count);
      }
      lines.add(line);
    }
    return lines;
  }
}
