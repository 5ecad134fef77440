package dev.quiver.foreign;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The search for the quotes of a file, and for line breaks between them.
final class QuoteScanner {

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int CHUNK_BYTE_SIZE = 64 << 10;

  /// The bytes that precede a chunk in the array: two characters of either width.
  private static final int KEPT_BYTE_SIZE = 4;

  private static final int STRIDE_BYTE_SIZE = 4 * Long.BYTES;
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x80 * EACH_BYTE;

  private static final int ABSENT = -1;
  private static final int END = -2;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final byte[] WIDE_BYTE_ORDER_MARK = {(byte) 0xFF, (byte) 0xFE};

  private final InputStream file;
  private final byte[] bytes = new byte[KEPT_BYTE_SIZE + CHUNK_BYTE_SIZE];

  /// The bytes of a character, of which each that matters is ASCII.
  private final int width;

  private final int delimiter;
  private final int quote;
  private final int escape;
  private final int comment;
  private final String lineEnd;
  private int position = KEPT_BYTE_SIZE;
  private int limit = KEPT_BYTE_SIZE;

  /// @param file from its start
  /// @param options with a delimiter
  /// @param lineEnd the characters at the end of each line
  QuoteScanner(InputStream file, CsvOptions options, String lineEnd) {
    this.file = file;
    this.width = options.encoding().equals("utf-16") ? 2 : 1;
    this.delimiter = first(options.fieldDelimiter());
    this.quote = first(options.quote());
    this.escape = first(options.escape());
    this.comment = first(options.comment());
    this.lineEnd = lineEnd;
  }

  private static int first(String text) {
    return text.isEmpty() ? ABSENT : text.charAt(0);
  }

  /// Skips a byte order mark. What follows begins a field.
  private void begin() throws IOException {
    fill();
    byte[] mark = width == 1 ? BYTE_ORDER_MARK : WIDE_BYTE_ORDER_MARK;
    int end = position + mark.length;
    if (end <= limit && Arrays.equals(bytes, position, end, mark, 0, mark.length)) {
      position = end;
    }
    bytes[position - width] = (byte) delimiter;
    bytes[position - 1] = width == 1 ? (byte) delimiter : 0;
  }

  /// Reads the file, as far as its quotes are clear.
  QuotedLines scan() throws IOException {
    begin();
    QuotedLines found = QuotedLines.NONE;
    while (skipToQuote()) {
      int before = character(position - width);
      if (before == ' ') {
        // The engine leaves out one space.
        before = character(position - 2 * width);
      }
      position += width;
      if (before != delimiter && !isLineBreak(before)) {
        continue;
      }
      if (isLineBreak(before) && before != lineEnd.charAt(lineEnd.length() - 1)) {
        return QuotedLines.UNCLEAR;
      }
      int c;
      do {
        while ((c = next()) != quote) {
          if (c == escape) {
            c = next();
          }
          if (c == END) {
            return QuotedLines.UNCLEAR;
          }
          if (isLineBreak(c)) {
            found = QuotedLines.CLEAR;
          }
        }
        c = next();
      } while (c == quote && escape == quote);
      while (c == ' ') {
        c = next();
      }
      if (c == END) {
        return found;
      }
      if (c != delimiter && c != lineEnd.charAt(0)) {
        return QuotedLines.UNCLEAR;
      }
    }
    return found;
  }

  private static boolean isLineBreak(int character) {
    return character == '\n' || character == '\r';
  }

  /// Goes to the next quote outside of comments, and returns whether there is one.
  private boolean skipToQuote() throws IOException {
    while (position < limit || fill()) {
      if (width == 1 && comment == ABSENT) {
        while (position <= limit - STRIDE_BYTE_SIZE && !hasQuote(position)) {
          position += STRIDE_BYTE_SIZE;
        }
      }
      int end = Math.min(limit, position + STRIDE_BYTE_SIZE);
      while (position < end) {
        int c = character(position);
        if (c == quote) {
          return true;
        }
        position += width;
        if (c == comment) {
          skipLine();
          break;
        }
      }
    }
    return false;
  }

  private void skipLine() throws IOException {
    int c;
    do {
      c = next();
    } while (c != END && !isLineBreak(c));
  }

  /// Returns whether a quote is among the bytes of a stride.
  private boolean hasQuote(int start) {
    long found = 0;
    for (int i = start; i < start + STRIDE_BYTE_SIZE; i += Long.BYTES) {
      // A byte that is a quote becomes 0, and the subtraction takes from a higher bit.
      long difference = (long) WORD.get(bytes, i) ^ quote * EACH_BYTE;
      found |= difference - EACH_BYTE & ~difference & HIGH_BITS;
    }
    return found != 0;
  }

  private int next() throws IOException {
    if (position == limit && !fill()) {
      return END;
    }
    int c = character(position);
    position += width;
    return c;
  }

  private int character(int index) {
    int low = bytes[index] & 0xFF;
    return width == 1 ? low : low | (bytes[index + 1] & 0xFF) << Byte.SIZE;
  }

  /// Reads the next chunk, and returns whether there is one. An incomplete character at the end of
  /// the file is left out.
  private boolean fill() throws IOException {
    System.arraycopy(bytes, limit - KEPT_BYTE_SIZE, bytes, 0, KEPT_BYTE_SIZE);
    int byteSize = file.readNBytes(bytes, KEPT_BYTE_SIZE, CHUNK_BYTE_SIZE);
    position = KEPT_BYTE_SIZE;
    limit = KEPT_BYTE_SIZE + byteSize - byteSize % width;
    return position < limit;
  }
}
