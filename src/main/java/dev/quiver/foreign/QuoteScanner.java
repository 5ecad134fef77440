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

  /// The bytes that precede a chunk in the array: two characters of either width, and as many as
  /// align it.
  private static final int KEPT_BYTE_SIZE = 8;

  private static final int STRIDE_BYTE_SIZE = 4 * Long.BYTES;
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x80 * EACH_BYTE;

  private static final int ABSENT = -1;
  private static final int END = -2;
  private static final int OPEN = -3;
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

  /// The end of a line, if it is one character.
  private final int lineBreak;

  private boolean hasLines;
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
    this.lineBreak = lineEnd.length() == 1 ? lineEnd.charAt(0) : ABSENT;
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
    while (skipToQuote()) {
      int before = character(position - width);
      if (before == ' ' && delimiter != ' ') {
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
        c = endOfField();
      } while ((c == delimiter || c == lineBreak) && isAtQuote());
      if (c == OPEN) {
        return QuotedLines.OPEN;
      } else if (c == comment) {
        skipLine();
      } else if (c == END) {
        break;
      } else if (c != delimiter && c != lineEnd.charAt(0)) {
        return QuotedLines.UNCLEAR;
      }
    }
    return hasLines ? QuotedLines.CLEAR : QuotedLines.NONE;
  }

  /// Reads to the end of a quoted field, and returns the character after it, or [#OPEN].
  private int endOfField() throws IOException {
    int c;
    do {
      if (!skipQuoted()) {
        return OPEN;
      }
      c = next();
    } while (c == quote && escape == quote);
    while (c == ' ' && delimiter != ' ') {
      c = next();
    }
    return c;
  }

  /// Goes behind a quote that is the next character, and returns whether it is.
  private boolean isAtQuote() {
    boolean found = position < limit && character(position) == quote;
    position += found ? width : 0;
    return found;
  }

  private static boolean isLineBreak(int character) {
    return character == '\n' || character == '\r';
  }

  /// Goes to the next quote outside of comments, and returns whether there is one.
  private boolean skipToQuote() throws IOException {
    while (position < limit || fill()) {
      if (width == 1 && comment == ABSENT) {
        position = withoutQuotes(bytes, position, limit, quote * EACH_BYTE);
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

  /// Goes behind the next quote that is not escaped by another character, and returns whether there
  /// is one.
  private boolean skipQuoted() throws IOException {
    while (position < limit || fill()) {
      int i = position;
      while (i < limit) {
        int c = width == 1 ? bytes[i] : character(i);
        i += width;
        if (c == quote) {
          position = i;
          return true;
        } else if (c == escape) {
          position = i;
          hasLines |= isLineBreak(next());
          i = position;
        } else if (isLineBreak(c)) {
          hasLines = true;
        }
      }
      position = i;
    }
    return false;
  }

  private void skipLine() throws IOException {
    int c;
    do {
      c = next();
    } while (c != END && !isLineBreak(c));
  }

  /// Returns the start of the first stride with a quote, or of the last bytes, which are no stride.
  ///
  /// @param quotes eight of them
  private static int withoutQuotes(byte[] bytes, int start, int end, long quotes) {
    int i = start;
    for (; i <= end - STRIDE_BYTE_SIZE; i += STRIDE_BYTE_SIZE) {
      long found =
          zeros((long) WORD.get(bytes, i) ^ quotes)
              | zeros((long) WORD.get(bytes, i + 8) ^ quotes)
              | zeros((long) WORD.get(bytes, i + 16) ^ quotes)
              | zeros((long) WORD.get(bytes, i + 24) ^ quotes);
      if (found != 0) {
        break;
      }
    }
    return i;
  }

  /// Returns a value other than 0 if a byte is 0: the subtraction takes from a higher bit.
  private static long zeros(long word) {
    return word - EACH_BYTE & ~word & HIGH_BITS;
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
