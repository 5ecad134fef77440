package dev.quiver.formats.parquet.page;

import java.io.ByteArrayOutputStream;

/// A writer of bits, least significant bit first, and of numbers in whole bytes.
final class BitWriter {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int partial;
  private int partialCount;

  BitWriter bits(long value, int bitWidth) {
    for (int i = 0; i < bitWidth; i++) {
      partial |= (int) (value >>> i & 1) << partialCount++;
      if (partialCount == Byte.SIZE) {
        bytes.write(partial);
        partial = 0;
        partialCount = 0;
      }
    }
    return this;
  }

  BitWriter varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bits(rest & 0x7F | 0x80, Byte.SIZE);
      rest >>>= 7;
    }
    return bits(rest, Byte.SIZE);
  }

  BitWriter zigzag(long value) {
    return varint(value << 1 ^ value >> 63);
  }

  BitWriter bytes(byte... values) {
    for (byte value : values) {
      bits(value, Byte.SIZE);
    }
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
