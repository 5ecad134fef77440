package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;

/// Conversions to decimals of 128 or 256 bits.
public final class DecimalConversion {

  private DecimalConversion() {}

  /// @param byteWidth the bytes of a decimal: 16 or 32
  record OfInt32(int byteWidth) implements LeafConversion {
    @Override
    public void convert(byte[] source, byte[] target, int count) {
      for (int i = 0; i < count; i++) {
        set(target, i * byteWidth, byteWidth, LittleEndian.getInt32(source, i << 2));
      }
    }
  }

  /// @param byteWidth the bytes of a decimal: 16 or 32
  record OfInt64(int byteWidth) implements LeafConversion {
    @Override
    public void convert(byte[] source, byte[] target, int count) {
      for (int i = 0; i < count; i++) {
        set(target, i * byteWidth, byteWidth, LittleEndian.getInt64(source, i << 3));
      }
    }
  }

  /// @param length the bytes of a value in the file, in two's complement, the highest byte first
  /// @param byteWidth the bytes of a decimal: 16 or 32
  record OfBytes(int length, int byteWidth) implements LeafConversion {
    @Override
    public void convert(byte[] source, byte[] target, int count) {
      for (int i = 0; i < count; i++) {
        reverse(source, i * length, length, target, i * byteWidth, byteWidth);
      }
    }
  }

  private static void set(byte[] target, int offset, int byteWidth, long value) {
    LittleEndian.setInt64(target, offset, value);
    for (int i = Long.BYTES; i < byteWidth; i += Long.BYTES) {
      LittleEndian.setInt64(target, offset + i, value >> 63);
    }
  }

  /// Converts one value, whose bytes are in two's complement, the highest byte first.
  ///
  /// @throws ForeignDataException if the value exceeds the decimal; the message lacks the column
  public static void reverse(
      byte[] source, int start, int length, byte[] target, int offset, int byteWidth) {
    byte sign = length == 0 || source[start] >= 0 ? (byte) 0 : (byte) -1;
    int used = Math.min(length, byteWidth);
    for (int i = 0; i < used; i++) {
      target[offset + i] = source[start + length - 1 - i];
    }
    for (int i = used; i < byteWidth; i++) {
      target[offset + i] = sign;
    }
    // Higher bytes may only repeat the sign.
    boolean fits = length <= byteWidth || (target[offset + byteWidth - 1] ^ sign) >= 0;
    for (int i = 0; i < length - byteWidth; i++) {
      fits &= source[start + i] == sign;
    }
    if (!fits) {
      throw ForeignDataException.of(
          "Expected decimals of at most %d bytes but found a larger one".formatted(byteWidth));
    }
  }
}
