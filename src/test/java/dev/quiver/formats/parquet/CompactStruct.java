package dev.quiver.formats.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A writer of one struct in Thrift's compact protocol.
final class CompactStruct {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int last;

  private CompactStruct field(int id, int type) {
    int delta = id - last;
    last = id;
    if (delta > 0 && delta < 16) {
      bytes.write(delta << 4 | type);
    } else {
      bytes.write(type);
      varint((long) id << 1);
    }
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7F) != 0) {
      bytes.write((int) rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  CompactStruct integer(int id, int value) {
    field(id, 5).varint((long) value << 1 ^ value >> 63);
    return this;
  }

  CompactStruct number(int id, long value) {
    field(id, 6).varint(value << 1 ^ value >> 63);
    return this;
  }

  CompactStruct text(int id, String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    field(id, 8).varint(encoded.length);
    bytes.writeBytes(encoded);
    return this;
  }

  CompactStruct bool(int id, boolean value) {
    return field(id, value ? 1 : 2);
  }

  CompactStruct struct(int id, CompactStruct value) {
    field(id, 12);
    bytes.writeBytes(value.end());
    return this;
  }

  CompactStruct list(int id, List<CompactStruct> values) {
    field(id, 9);
    bytes.write(0xFC);
    varint(values.size());
    values.forEach(value -> bytes.writeBytes(value.end()));
    return this;
  }

  /// Adds bytes as they are, after the head of a field.
  CompactStruct raw(int id, int type, byte... value) {
    field(id, type);
    bytes.writeBytes(value);
    return this;
  }

  byte[] end() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(bytes.toByteArray());
    all.write(0);
    return all.toByteArray();
  }
}
