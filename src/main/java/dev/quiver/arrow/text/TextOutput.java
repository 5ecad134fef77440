package dev.quiver.arrow.text;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// A buffer of UTF-8 text, which is flushed to a sink when full.
///
/// Text is counted before it is flushed: a few bytes of a list view or of a dictionary may
/// represent any amount of text.
///
/// Short text is written by whole words, of which only the first bytes count. Later text overwrites
/// the rest.
final class TextOutput {

  /// The minimum size of the buffer. A single call of [#ensure] requires less.
  static final int BUFFER_BYTE_SIZE_MIN = 1 << 10;

  /// The maximum size of a piece of text that is copied without another check of the buffer.
  static final int PIECE_BYTE_SIZE = 512;

  /// Room for the digits of a 64-bit integer, its sign, and the bytes overwritten later.
  private static final int INTEGER_ROOM = 40;

  private static final long EIGHT_DIGITS_END = Digits.EIGHT_DIGITS_END;
  private static final long SIXTEEN_DIGITS_END = EIGHT_DIGITS_END * EIGHT_DIGITS_END;

  private static final byte[] BASE64 =
      ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

  private final ByteSink sink;
  private final Limit limit;
  private final byte[] buffer;
  private int filled;
  private long flushed;

  /// @param limit the maximum size of the whole text
  /// @param bufferByteSize at least [#BUFFER_BYTE_SIZE_MIN]
  TextOutput(ByteSink sink, Limit limit, int bufferByteSize) {
    this.sink = sink;
    this.limit = limit;
    this.buffer = new byte[bufferByteSize];
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  Limit limit() {
    return limit;
  }

  /// Returns the size of the text so far.
  long position() {
    return flushed + filled;
  }

  /// Returns the text that has not been flushed.
  MemorySegment pending() {
    return MemorySegment.ofArray(buffer).asSlice(0, filled);
  }

  /// Returns the buffer. The text that has not been flushed is at its start.
  byte[] buffer() {
    return buffer;
  }

  /// Removes the text that has not been flushed.
  void clear() {
    filled = 0;
  }

  /// Flushes the text to the sink.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it exceeds the limit; it is not
  ///   flushed then
  void flush() throws IOException {
    limit.check(flushed + filled, "bytes of rendered text", InputLocation.UNKNOWN);
    sink.write(pending());
    flushed += filled;
    filled = 0;
  }

  /// Writes the text of another output that has not flushed any, without a copy, unless the limit
  /// does not allow all of it.
  boolean tryPut(TextOutput other) throws IOException {
    if (position() + other.filled > limit.maximum()) {
      return false;
    }
    flush();
    sink.write(other.pending());
    flushed += other.filled;
    return true;
  }

  /// Ensures room for this many bytes, so that [#word] and similar methods need not check.
  void ensure(int byteSize) throws IOException {
    if (buffer.length - filled < byteSize) {
      flush();
    }
  }

  /// Writes the first `byteSize` bytes of a word, from the lowest on. The buffer must have room for
  /// eight.
  void word(long word, int byteSize) {
    LittleEndian.setInt64(buffer, filled, word);
    filled += byteSize;
  }

  void put(char ascii) throws IOException {
    ensure(1);
    buffer[filled++] = (byte) ascii;
  }

  void put(String ascii) throws IOException {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
  }

  void put(PreparedText literal) throws IOException {
    int byteSize = literal.byteSize();
    if (byteSize > PreparedText.WORDS_BYTE_SIZE_MAX) {
      put(literal.bytes(), 0, byteSize);
      return;
    }
    ensure(PreparedText.WORDS_BYTE_SIZE_MAX + Long.BYTES);
    LittleEndian.setInt64(buffer, filled, literal.first());
    if (byteSize > Long.BYTES) {
      long[] words = literal.words();
      for (int i = 1; i < words.length; i++) {
        LittleEndian.setInt64(buffer, filled + (i << 3), words[i]);
      }
    }
    filled += byteSize;
  }

  void put(byte[] bytes, int start, int length) throws IOException {
    int done = 0;
    while (done < length) {
      ensure(1);
      int count = Math.min(length - done, buffer.length - filled);
      System.arraycopy(bytes, start + done, buffer, filled, count);
      filled += count;
      done += count;
    }
  }

  /// Writes bytes up to the first that `marks` matches, and at most [#PIECE_BYTE_SIZE].
  ///
  /// @param bytes an array with at least eight bytes after `end`
  /// @return the index of the next byte to write
  int putPiece(byte[] bytes, int start, int end, EscapeMask marks) throws IOException {
    ensure(PIECE_BYTE_SIZE + Long.BYTES);
    int stop = Math.min(end, start + PIECE_BYTE_SIZE);
    int at = start;
    int to = filled;
    while (at <= stop - Long.BYTES) {
      long word = LittleEndian.getInt64(bytes, at);
      LittleEndian.setInt64(buffer, to, word);
      if (marks.in(word) != 0) {
        break;
      }
      at += Long.BYTES;
      to += Long.BYTES;
    }
    if (at < stop) {
      long word = LittleEndian.getInt64(bytes, at);
      LittleEndian.setInt64(buffer, to, word);
      int count = Math.min(marks.before(word), stop - at);
      at += count;
      to += count;
    }
    filled = to;
    return at;
  }

  /// Returns the position of the next piece, for [#takeBack].
  int mark() throws IOException {
    ensure(PIECE_BYTE_SIZE + Long.BYTES);
    return filled;
  }

  /// Removes the text written since `mark`, at most a piece.
  void takeBack(int mark) {
    filled = mark;
  }

  void putInteger(long value) throws IOException {
    ensure(INTEGER_ROOM);
    buffer[filled] = '-';
    filled += (int) (value >>> 63);
    // The magnitude of the smallest value is correct as an unsigned number.
    digits(Math.abs(value));
  }

  void putUnsigned(long value) throws IOException {
    ensure(INTEGER_ROOM);
    digits(value);
  }

  private void digits(long value) {
    if (value >= 0 && value < EIGHT_DIGITS_END) {
      trimmed((int) value);
    } else if (value >= 0 && value < SIXTEEN_DIGITS_END) {
      long first = value / EIGHT_DIGITS_END;
      trimmed((int) first);
      eightDigits((int) (value - first * EIGHT_DIGITS_END));
    } else {
      // The compiler turns a division by a constant into a multiplication, unless it is unsigned.
      long first =
          value >= 0 ? value / SIXTEEN_DIGITS_END : Long.divideUnsigned(value, SIXTEEN_DIGITS_END);
      long rest = value - first * SIXTEEN_DIGITS_END;
      long second = rest / EIGHT_DIGITS_END;
      trimmed((int) first);
      eightDigits((int) second);
      eightDigits((int) (rest - second * EIGHT_DIGITS_END));
    }
  }

  private void trimmed(int value) {
    if (value < Digits.FOUR_DIGITS_END) {
      long digits = Digits.four(value);
      int zeros = Digits.leadingZeros(digits << Integer.SIZE) - Integer.BYTES;
      word((digits | Digits.ASCII) >>> (zeros << 3), Integer.BYTES - zeros);
      return;
    }
    long digits = Digits.eight(value);
    int zeros = Digits.leadingZeros(digits);
    word((digits | Digits.ASCII) >>> (zeros << 3), Long.BYTES - zeros);
  }

  private void eightDigits(int value) {
    word(Digits.eight(value) | Digits.ASCII, Long.BYTES);
  }

  /// Writes a number with up to four decimals.
  ///
  /// @param tenThousandths the number, multiplied by 10,000; positive
  void putTenThousandths(long tenThousandths) throws IOException {
    ensure(INTEGER_ROOM);
    long whole = tenThousandths / Digits.FOUR_DIGITS_END;
    digits(whole);
    int decimals = (int) (tenThousandths - whole * Digits.FOUR_DIGITS_END);
    if (decimals != 0) {
      long digits = Digits.four(decimals);
      int count = Long.BYTES - Digits.trailingZeros(digits);
      word('.' | (digits | Digits.ASCII) << Byte.SIZE, 1 + count);
    }
  }

  /// Writes an unsigned value, padded with leading zeros to `length` digits.
  void putPadded(long value, int length) throws IOException {
    for (int i = digitCount(value); i < length; i++) {
      put('0');
    }
    putUnsigned(value);
  }

  /// Returns the digit of base64 with which a value begins.
  static char base64(byte first) {
    return (char) BASE64[(first & 0xFF) >>> 2];
  }

  /// Writes bytes as base64: RFC 4648 §4. Padding follows if their number is not a multiple of
  /// three.
  void putBase64(byte[] bytes, int start, int end) throws IOException {
    int i = start;
    for (; i + 2 < end; i += 3) {
      int three = (bytes[i] & 0xFF) << 16 | (bytes[i + 1] & 0xFF) << 8 | bytes[i + 2] & 0xFF;
      ensure(4);
      buffer[filled] = BASE64[three >>> 18];
      buffer[filled + 1] = BASE64[three >>> 12 & 63];
      buffer[filled + 2] = BASE64[three >>> 6 & 63];
      buffer[filled + 3] = BASE64[three & 63];
      filled += 4;
    }
    if (i < end) {
      int first = bytes[i] & 0xFF;
      int second = i + 1 < end ? bytes[i + 1] & 0xFF : 0;
      ensure(4);
      buffer[filled++] = BASE64[first >>> 2];
      buffer[filled++] = BASE64[(first & 3) << 4 | second >>> 4];
      buffer[filled++] = i + 1 < end ? BASE64[(second & 15) << 2] : (byte) '=';
      buffer[filled++] = '=';
    }
  }

  static int digitCount(long unsigned) {
    if (unsigned < 0) {
      return unsigned >= -8_446_744_073_709_551_616L ? 20 : 19;
    }
    int count = 1;
    for (long bound = 10; count < 19 && unsigned >= bound; bound *= 10) {
      count++;
    }
    return count;
  }
}
