package dev.quiver.arrow.codec;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// CRC-32C, and its arithmetic: joined bytes have a checksum computed from its parts'.
///
/// A checksum is a polynomial over GF(2) in reflected order: the most significant bit is the
/// coefficient of x⁰. Appending a byte multiplies it by x⁸ modulo the generator.
public final class Crc32c {

  private static final int GENERATOR = 0x82F63B78;
  private static final int ONE = 1 << 31;

  /// The largest part of a segment that is passed to the JDK at once.
  private static final long PART_BYTE_SIZE = 1 << 20;

  /// x to the power of 8 · 2ⁱ.
  private static final int[] POWERS = powers();

  private Crc32c() {}

  public static int of(MemorySegment bytes) {
    CRC32C checksum = new CRC32C();
    update(checksum, bytes);
    return (int) checksum.getValue();
  }

  /// Adds bytes to a checksum. Bytes outside of the heap are not copied.
  public static void update(CRC32C checksum, MemorySegment bytes) {
    for (long start = 0; start < bytes.byteSize(); start += PART_BYTE_SIZE) {
      long byteSize = Math.min(PART_BYTE_SIZE, bytes.byteSize() - start);
      checksum.update(bytes.asSlice(start, byteSize).asByteBuffer());
    }
  }

  /// Returns the checksum of two parts, one after the other.
  ///
  /// @param secondByteSize the size of the second part
  public static int joined(int first, int second, long secondByteSize) {
    return multiply(first, power(secondByteSize)) ^ second;
  }

  /// Returns the checksum of the second of two parts.
  ///
  /// @param joined the checksum of both, one after the other
  public static int second(int first, int joined, long secondByteSize) {
    return multiply(first, power(secondByteSize)) ^ joined;
  }

  /// Returns x to the power of 8 · `byteSize`.
  private static int power(long byteSize) {
    int product = ONE;
    for (int i = 0; byteSize >>> i != 0; i++) {
      if ((byteSize >>> i & 1) != 0) {
        product = multiply(product, POWERS[i]);
      }
    }
    return product;
  }

  private static int multiply(int a, int b) {
    int product = 0;
    int power = b;
    for (int rest = a; rest != 0; rest <<= 1) {
      product ^= rest < 0 ? power : 0;
      power = timesX(power);
    }
    return product;
  }

  private static int timesX(int a) {
    return (a & 1) == 0 ? a >>> 1 : a >>> 1 ^ GENERATOR;
  }

  private static int[] powers() {
    int[] powers = new int[Long.SIZE];
    int power = ONE;
    for (int i = 0; i < Byte.SIZE; i++) {
      power = timesX(power);
    }
    for (int i = 0; i < powers.length; i++) {
      powers[i] = power;
      power = multiply(power, power);
    }
    return powers;
  }
}
