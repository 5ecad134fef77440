package dev.quiver.store.version;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// A position in a segment, which advances with each read and write. Numbers are little-endian, and
/// a text is its number of bytes and then UTF-8.
final class Cursor {

  private final MemorySegment segment;
  private long position;

  Cursor(MemorySegment segment) {
    this(segment, 0);
  }

  Cursor(MemorySegment segment, long position) {
    this.segment = segment;
    this.position = position;
  }

  static long byteSize(String text) {
    return Integer.BYTES + utf8(text).length;
  }

  MemorySegment segment() {
    return segment;
  }

  long position() {
    return position;
  }

  long remaining() {
    return segment.byteSize() - position;
  }

  int int32() {
    int value = LittleEndian.getInt32(segment, position);
    position += Integer.BYTES;
    return value;
  }

  long int64() {
    long value = LittleEndian.getInt64(segment, position);
    position += Long.BYTES;
    return value;
  }

  byte[] bytes(int byteSize) {
    byte[] bytes = segment.asSlice(position, byteSize).toArray(ValueLayout.JAVA_BYTE);
    position += byteSize;
    return bytes;
  }

  String text() {
    return text(int32());
  }

  String text(int byteSize) {
    return new String(bytes(byteSize), StandardCharsets.UTF_8);
  }

  void putInt32(int value) {
    LittleEndian.setInt32(segment, position, value);
    position += Integer.BYTES;
  }

  void putInt64(long value) {
    LittleEndian.setInt64(segment, position, value);
    position += Long.BYTES;
  }

  void putBytes(byte[] bytes) {
    putSegment(MemorySegment.ofArray(bytes));
  }

  void putText(String text) {
    byte[] utf8 = utf8(text);
    putInt32(utf8.length);
    putBytes(utf8);
  }

  void putSegment(MemorySegment source) {
    MemorySegment.copy(source, 0, segment, position, source.byteSize());
    position += source.byteSize();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
