package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.type.Precision;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// An encoder of one Java value as the bytes of a fixed-width slot.
@FunctionalInterface
interface FixedWidthEncoder {

  /// @throws IllegalArgumentException if the value is of another class or does not fit
  void encode(Object value, MemorySegment data, long byteOffset);

  static FixedWidthEncoder of(ArrowType.Int type) {
    return integer(type.bitWidth(), type.signed());
  }

  static FixedWidthEncoder signedInteger(int bitWidth) {
    return integer(bitWidth, true);
  }

  static FixedWidthEncoder floatingPoint(Precision precision) {
    return (value, data, byteOffset) -> {
      double wide = expect(Number.class, "a float or double", value).doubleValue();
      require(value instanceof Float || value instanceof Double, "a float or double", value);
      boolean finite =
          switch (precision) {
            case HALF -> {
              short bits = Float.floatToFloat16((float) wide);
              LittleEndian.setInt16(data, byteOffset, bits);
              yield Float.isFinite(Float.float16ToFloat(bits));
            }
            case SINGLE -> {
              data.set(LittleEndian.FLOAT32, byteOffset, (float) wide);
              yield Float.isFinite((float) wide);
            }
            case DOUBLE -> {
              data.set(LittleEndian.FLOAT64, byteOffset, wide);
              yield Double.isFinite(wide);
            }
          };
      require(
          finite || !Double.isFinite(wide), "a float of " + precision.bitWidth() + " bits", value);
    };
  }

  static FixedWidthEncoder decimal(ArrowType.Decimal type) {
    BigInteger end = BigInteger.TEN.pow(type.precision());
    return (value, data, byteOffset) -> {
      BigInteger unscaled =
          switch (value) {
            case BigInteger integer -> integer;
            case BigDecimal decimal -> unscaled(decimal, type);
            default -> throw unexpected("a BigInteger or BigDecimal", value);
          };
      require(unscaled.abs().compareTo(end) < 0, "at most " + type.precision() + " digits", value);
      for (int i = 0; i < type.bitWidth() >>> 3; i++) {
        LittleEndian.setInt8(data, byteOffset + i, unscaled.shiftRight(8 * i).byteValue());
      }
    };
  }

  static FixedWidthEncoder interval(IntervalUnit unit) {
    return switch (unit) {
      case YEAR_MONTH -> signedInteger(32);
      case DAY_TIME ->
          (value, data, byteOffset) -> {
            var interval = expect(IntervalValue.DayTime.class, "a DayTime", value);
            LittleEndian.setInt32(data, byteOffset, interval.days());
            LittleEndian.setInt32(data, byteOffset + 4, interval.milliseconds());
          };
      case MONTH_DAY_NANO ->
          (value, data, byteOffset) -> {
            var interval = expect(IntervalValue.MonthDayNano.class, "a MonthDayNano", value);
            LittleEndian.setInt32(data, byteOffset, interval.months());
            LittleEndian.setInt32(data, byteOffset + 4, interval.days());
            LittleEndian.setInt64(data, byteOffset + 8, interval.nanoseconds());
          };
    };
  }

  static FixedWidthEncoder fixedSizeBinary(int byteWidth) {
    return (value, data, byteOffset) -> {
      byte[] bytes = bytes(value);
      require(bytes.length == byteWidth, byteWidth + " bytes", bytes.length);
      MemorySegment.copy(bytes, 0, data, LittleEndian.INT8, byteOffset, byteWidth);
    };
  }

  static byte[] bytes(Object value) {
    return switch (value) {
      case byte[] bytes -> bytes;
      case ByteString bytes -> bytes.toByteArray();
      default -> throw unexpected("a byte[] or ByteString", value);
    };
  }

  /// Returns the text as UTF-8, which cannot encode half a surrogate pair.
  static byte[] utf8(Object value) {
    String text = expect(String.class, "a string", value);
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("Expected whole surrogate pairs but found " + e, e);
    }
  }

  static <T> T expect(Class<T> type, String expected, Object value) {
    if (!type.isInstance(value)) {
      throw unexpected(expected, value);
    }
    return type.cast(value);
  }

  private static FixedWidthEncoder integer(int bitWidth, boolean signed) {
    String expected = "an integer of " + bitWidth + " bits" + (signed ? "" : " without a sign");
    return (value, data, byteOffset) -> {
      long number =
          switch (value) {
            case Byte narrow -> narrow;
            case Short narrow -> narrow;
            case Integer narrow -> narrow;
            case Long wide -> wide;
            case BigInteger big -> {
              require(fits(big.signum() < 0, big.bitLength(), bitWidth, signed), expected, big);
              yield big.longValue();
            }
            default -> throw unexpected(expected, value);
          };
      if (!(value instanceof BigInteger)) {
        int bitLength = Long.SIZE - Long.numberOfLeadingZeros(number ^ number >> 63);
        require(fits(number < 0, bitLength, bitWidth, signed), expected, value);
      }
      switch (bitWidth) {
        case 8 -> LittleEndian.setInt8(data, byteOffset, (byte) number);
        case 16 -> LittleEndian.setInt16(data, byteOffset, (short) number);
        case 32 -> LittleEndian.setInt32(data, byteOffset, (int) number);
        default -> LittleEndian.setInt64(data, byteOffset, number);
      }
    };
  }

  /// @param bitLength bits of the magnitude, as counted by [BigInteger#bitLength]
  private static boolean fits(boolean negative, int bitLength, int bitWidth, boolean signed) {
    return signed ? bitLength < bitWidth : !negative && bitLength <= bitWidth;
  }

  private static BigInteger unscaled(BigDecimal decimal, ArrowType.Decimal type) {
    try {
      return decimal.setScale(type.scale()).unscaledValue();
    } catch (ArithmeticException e) {
      throw unexpected("a decimal of scale " + type.scale(), decimal);
    }
  }

  private static void require(boolean holds, String expected, Object found) {
    if (!holds) {
      throw unexpected(expected, found);
    }
  }

  private static IllegalArgumentException unexpected(String expected, Object found) {
    return new IllegalArgumentException("Expected " + expected + " but found " + found);
  }
}
