package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.formats.ForeignDataException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/// A reader of structs in Thrift's compact protocol.
///
/// Each element of a list takes at least one byte. So a declared size beyond the remaining bytes is
/// an error, and the time to read or skip a value is proportional to its bytes.
final class CompactReader {

  private static final int STOP = 0;
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int INT8 = 3;
  private static final int INT16 = 4;
  private static final int INT32 = 5;
  private static final int INT64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;
  private static final int UUID = 13;

  private static final int DEPTH_MAXIMUM = 24;
  private static final int UUID_BYTE_SIZE = 16;

  /// The size of a list whose actual size follows its header.
  private static final int LONG_SIZE = 15;

  private final byte[] bytes;
  private final int end;
  private int position;
  private int depth;

  /// Thrown if the bytes end within a value. The caller may retry with more bytes.
  static final class TruncatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TruncatedException() {
      super("truncated", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
  }

  CompactReader(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  /// Returns the offset of the next byte.
  int position() {
    return position;
  }

  /// A reader of the fields of a struct. Fields whose value is not read are skipped.
  interface FieldReader {
    void read(int id, Value value);
  }

  /// A reader of one struct of a list.
  interface StructReader<T> {
    T read();
  }

  /// The value of a field. Each method requires that the declared type is its own.
  final class Value {

    private final int type;
    private boolean isRead;

    private Value(int type) {
      this.type = type;
    }

    boolean bool() {
      begin(type == FALSE ? FALSE : TRUE);
      return type == TRUE;
    }

    int int8() {
      begin(INT8);
      return next();
    }

    int int32() {
      begin(INT32);
      long value = zigzag();
      if (value != (int) value) {
        throw malformed("a number of 32 bits");
      }
      return (int) value;
    }

    long int64() {
      begin(INT64);
      return zigzag();
    }

    /// Returns a string, with U+FFFD in place of invalid UTF-8.
    String text() {
      begin(BINARY);
      int length = size();
      String text = new String(bytes, position, length, StandardCharsets.UTF_8);
      position += length;
      return text;
    }

    /// Returns whether the value is a string or other bytes.
    boolean isBytes() {
      return type == BINARY;
    }

    ByteString bytes() {
      begin(BINARY);
      int length = size();
      position += length;
      return ByteString.of(Arrays.copyOfRange(bytes, position - length, position));
    }

    void struct(FieldReader fields) {
      begin(STRUCT);
      readStruct(fields);
    }

    /// Reads a list of structs.
    ///
    /// @param size receives the number of elements before they are read
    <T> List<T> list(IntConsumer size, StructReader<T> reader) {
      begin(LIST);
      int header = next() & 0xFF;
      int count = listSize(header);
      if (count > 0 && (header & 0xF) != STRUCT) {
        throw malformed("a list of structs");
      }
      size.accept(count);
      List<T> list = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        list.add(reader.read());
      }
      return list;
    }

    private void begin(int expected) {
      if (type != expected) {
        throw malformed("a field of Thrift type %d".formatted(expected));
      }
      isRead = true;
    }

    private void skipUnread() {
      if (!isRead) {
        skip(type);
      }
    }
  }

  /// Reads the fields of a struct.
  void readStruct(FieldReader fields) {
    descend();
    int id = 0;
    int header = next() & 0xFF;
    while (header != STOP) {
      id = header >>> 4 == 0 ? (int) zigzag() : id + (header >>> 4);
      Value value = new Value(header & 0xF);
      fields.read(id, value);
      value.skipUnread();
      header = next() & 0xFF;
    }
    depth--;
  }

  private void skip(int type) {
    switch (type) {
      case TRUE, FALSE -> {}
      case INT8 -> skipBytes(1);
      case INT16, INT32, INT64 -> varint();
      case DOUBLE -> skipBytes(Double.BYTES);
      case BINARY -> skipBytes(size());
      case LIST, SET -> skipList();
      case MAP -> skipMap();
      case STRUCT -> readStruct((_, _) -> {});
      case UUID -> skipBytes(UUID_BYTE_SIZE);
      default -> throw malformed("a known type");
    }
  }

  private void skipList() {
    descend();
    int header = next() & 0xFF;
    int count = listSize(header);
    for (int i = 0; i < count; i++) {
      skipElement(header & 0xF);
    }
    depth--;
  }

  private void skipMap() {
    descend();
    int count = size();
    int types = count == 0 ? 0 : next() & 0xFF;
    for (int i = 0; i < count; i++) {
      skipElement(types >>> 4);
      skipElement(types & 0xF);
    }
    depth--;
  }

  /// Skips an element. A boolean element has a byte of its own, unlike a boolean field.
  private void skipElement(int type) {
    if (type == TRUE || type == FALSE) {
      skipBytes(1);
    } else {
      skip(type);
    }
  }

  private int listSize(int header) {
    int count = header >>> 4;
    if (count == LONG_SIZE) {
      return size();
    }
    requireLeft(count);
    return count;
  }

  private void descend() {
    if (++depth > DEPTH_MAXIMUM) {
      throw malformed("at most %d levels".formatted(DEPTH_MAXIMUM));
    }
  }

  /// Reads the size of a value that has at least one byte for each unit.
  private int size() {
    long size = varint();
    if (size < 0 || size > Integer.MAX_VALUE) {
      throw malformed("a size of 31 bits");
    }
    requireLeft((int) size);
    return (int) size;
  }

  private void skipBytes(int count) {
    requireLeft(count);
    position += count;
  }

  private void requireLeft(int count) {
    if (count > end - position) {
      throw new TruncatedException();
    }
  }

  private byte next() {
    requireLeft(1);
    return bytes[position++];
  }

  private long zigzag() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = next();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("a number of 64 bits");
  }

  private static ForeignDataException malformed(String expected) {
    return ForeignDataException.of(
        "Expected Parquet metadata with %s but found other bytes".formatted(expected));
  }
}
