package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Precision;
import java.math.BigInteger;
import java.util.Arrays;

/// Numbers as keys of 64 bits in the same order, or as bytes in the same order, and back.
final class NumberKeys {

  /// The key of NaN, which is greater than the key of any number.
  static final long NAN = Double.doubleToLongBits(Double.NaN);

  private NumberKeys() {}

  /// Returns the key of a number. -0.0 and 0.0 have the same key, and so has every NaN.
  static long key(double number) {
    // The sum of -0.0 and 0.0 is 0.0.
    long bits = Double.doubleToLongBits(number + 0.0);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  static double number(long key) {
    return Double.longBitsToDouble(key ^ (key >> 63 & Long.MAX_VALUE));
  }

  /// Makes the bits of floating-point numbers integers of the same order. NaN with a sign comes
  /// first, and without a sign last.
  static void order(short[] bits, int n) {
    for (int i = 0; i < n; i++) {
      bits[i] ^= (short) (bits[i] >> 15 & Short.MAX_VALUE);
    }
  }

  /// As for 16 bits.
  static void order(int[] bits, int n) {
    for (int i = 0; i < n; i++) {
      bits[i] ^= bits[i] >> 31 & Integer.MAX_VALUE;
    }
  }

  /// As for 16 bits.
  static void order(long[] bits, int n) {
    for (int i = 0; i < n; i++) {
      bits[i] ^= bits[i] >> 63 & Long.MAX_VALUE;
    }
  }

  /// Returns whether the keys of a type are its integers with the highest bit flipped.
  static boolean isFlipped(ArrowType type) {
    return type instanceof ArrowType.Int(int bitWidth, boolean signed)
        && !signed
        && bitWidth == Long.SIZE;
  }

  /// Returns the value of a key, as a buffer of the type has it.
  static ByteString value(ArrowType type, long key) {
    if (type instanceof ArrowType.Bool) {
      return ByteString.of(new byte[] {(byte) key});
    }
    long bits =
        type instanceof ArrowType.FloatingPoint(var precision)
            ? bits(precision, number(key))
            : isFlipped(type) ? key ^ Long.MIN_VALUE : key;
    byte[] value = new byte[byteWidth(type)];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (bits >> Math.min(8 * i, Long.SIZE - 1));
    }
    return ByteString.of(value);
  }

  /// Returns the number of the precision that is nearest to another one.
  static double rounded(Precision precision, double number) {
    return switch (precision) {
      case HALF -> Float.float16ToFloat(Float.floatToFloat16((float) number));
      case SINGLE -> (float) number;
      case DOUBLE -> number;
    };
  }

  private static long bits(Precision precision, double number) {
    return switch (precision) {
      case HALF -> Float.floatToFloat16((float) number);
      case SINGLE -> Float.floatToIntBits((float) number);
      case DOUBLE -> Double.doubleToLongBits(number);
    };
  }

  static int byteWidth(ArrowType type) {
    return (int) (Layout.of(type).buffers().get(1).bitWidth() >>> 3);
  }

  /// Returns the value of ordered bytes.
  static ByteString wideValue(byte[] ordered) {
    byte[] value = new byte[ordered.length];
    for (int i = 0; i < value.length; i++) {
      value[i] = ordered[value.length - 1 - i];
    }
    value[value.length - 1] ^= Byte.MIN_VALUE;
    return ByteString.of(value);
  }

  /// Returns the value of an integer.
  static ByteString wideValue(ArrowType type, BigInteger integer) {
    byte[] value = new byte[byteWidth(type)];
    byte[] bytes = integer.toByteArray();
    for (int i = 0; i < value.length; i++) {
      int index = bytes.length - 1 - i;
      value[i] = index >= 0 ? bytes[index] : (byte) (integer.signum() < 0 ? -1 : 0);
    }
    return ByteString.of(value);
  }

  /// Returns the integer of ordered bytes.
  static BigInteger wide(byte[] bytes, int start, int length) {
    byte[] value = Arrays.copyOfRange(bytes, start, start + length);
    value[0] ^= Byte.MIN_VALUE;
    return new BigInteger(value);
  }

  /// Writes the ordered bytes of an integer: the highest first, its sign flipped.
  ///
  /// @param words the words of integers, the lowest first
  /// @param from the index of the lowest word
  static void putOrdered(long[] words, int from, int wordCount, byte[] destination) {
    for (int i = 0; i < wordCount; i++) {
      long word = words[from + wordCount - 1 - i] ^ (i == 0 ? Long.MIN_VALUE : 0);
      for (int j = 0; j < Long.BYTES; j++) {
        destination[i * Long.BYTES + j] = (byte) (word >>> Long.SIZE - Byte.SIZE * (j + 1));
      }
    }
  }
}
