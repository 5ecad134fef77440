package dev.quiver.render;

import dev.quiver.memory.ByteSink;
import dev.quiver.memory.Limit;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.Place;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Text on its way out, as bytes of UTF-8 in one buffer that is handed on when full.
///
/// What is handed on is counted first: a few bytes of a list view or of a dictionary may stand for
/// any amount of text.
final class TextOutput {

  /// The digits of a 64-bit integer and its sign.
  private static final int INTEGER_LENGTH = 20;

  private static final byte[] BASE64 =
      ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

  private final ByteSink sink;
  private final Limit limit;
  private final byte[] buffer;
  private int filled;
  private long handedOn;

  /// @param limit bytes in all
  /// @param bufferByteSize at least 32
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

  /// What was written and not handed on yet.
  MemorySegment pending() {
    return MemorySegment.ofArray(buffer).asSlice(0, filled);
  }

  /// Hands on what was written.
  ///
  /// @throws dev.quiver.memory.TooLargeInputException when that passes the limit; nothing of it is
  ///   handed on then
  void flush() throws IOException {
    limit.check(handedOn + filled, "bytes of rendered text", Place.UNKNOWN);
    sink.write(pending());
    handedOn += filled;
    filled = 0;
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

  void put(byte[] bytes) throws IOException {
    put(bytes, 0, bytes.length);
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

  void putInteger(long value) throws IOException {
    if (value < 0) {
      put('-');
    }
    // The magnitude of the least value is right as an unsigned one.
    putUnsigned(Math.abs(value));
  }

  void putUnsigned(long value) throws IOException {
    long rest = value;
    int length = digitCount(rest);
    ensure(INTEGER_LENGTH);
    int at = filled + length;
    filled = at;
    if (rest < 0) {
      buffer[--at] = (byte) ('0' + Long.remainderUnsigned(rest, 10));
      rest = Long.divideUnsigned(rest, 10);
    }
    do {
      long next = rest / 10;
      buffer[--at] = (byte) ('0' + (rest - next * 10));
      rest = next;
    } while (rest != 0);
  }

  /// Writes an unsigned value with zeros before it, up to `length` digits.
  void putPadded(long value, int length) throws IOException {
    for (int i = digitCount(value); i < length; i++) {
      put('0');
    }
    putUnsigned(value);
  }

  /// Writes bytes as base64 with padding: RFC 4648 §4.
  void putBase64(MemorySegment bytes) throws IOException {
    long byteSize = bytes.byteSize();
    for (long i = 0; i < byteSize; i += 3) {
      int first = octet(bytes, i);
      int second = octet(bytes, i + 1);
      int third = octet(bytes, i + 2);
      ensure(4);
      buffer[filled++] = BASE64[first >>> 2];
      buffer[filled++] = BASE64[(first & 3) << 4 | second >>> 4];
      buffer[filled++] = i + 1 < byteSize ? BASE64[(second & 15) << 2 | third >>> 6] : (byte) '=';
      buffer[filled++] = i + 2 < byteSize ? BASE64[third & 63] : (byte) '=';
    }
  }

  private static int octet(MemorySegment bytes, long index) {
    return index < bytes.byteSize() ? Byte.toUnsignedInt(LittleEndian.getInt8(bytes, index)) : 0;
  }

  private static int digitCount(long unsigned) {
    if (unsigned < 0) {
      return unsigned >= -8_446_744_073_709_551_616L ? 20 : 19;
    }
    int count = 1;
    for (long bound = 10; count < 19 && unsigned >= bound; bound *= 10) {
      count++;
    }
    return count;
  }

  private void ensure(int byteSize) throws IOException {
    if (buffer.length - filled < byteSize) {
      flush();
    }
  }
}
