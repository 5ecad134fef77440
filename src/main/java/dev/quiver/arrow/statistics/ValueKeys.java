package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.RangeSet.Range;
import dev.quiver.arrow.type.ArrowType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keys of the values of a type, which have the order of the values.
///
/// @param <K> the keys
sealed interface ValueKeys<K extends Comparable<K>> {

  /// Returns the keys of the values that equal a literal.
  ///
  /// @throws IllegalArgumentException if it has the wrong number of bytes
  Range<K> of(ByteString literal);

  /// Returns the keys of the values that start with a prefix.
  ///
  /// @throws IllegalArgumentException if the type has no prefixes
  default Range<K> startingWith(ByteString prefix) {
    throw new IllegalArgumentException("Expected text or binary values but found " + this);
  }

  /// Returns the keys of all values.
  Range<K> domain();

  /// Returns the key of NaN, or null if the type has none.
  default @Nullable K nan() {
    return null;
  }

  /// Returns the order of values that are neither NaN nor -0.0, by their bytes.
  default Comparator<ByteString> order() {
    return Comparator.comparing(value -> Objects.requireNonNull(of(value).low()));
  }

  /// Returns the keys of a type, or null if its values have no order.
  static @Nullable ValueKeys<?> of(ArrowType type) {
    return switch (ValueKind.of(type)) {
      case NONE, UNORDERED_BYTES -> null;
      case BOOLEAN -> new Booleans();
      case BYTES -> new Binaries();
      case FLOATING_POINT -> new FloatingPoints(NumberKeys.byteWidth(type));
      case INTEGER, WIDE ->
          new Integers(
              NumberKeys.byteWidth(type),
              !(type instanceof ArrowType.Int(_, boolean signed)) || signed);
    };
  }

  private static BigInteger integer(ByteString literal, int byteWidth, boolean signed) {
    byte[] bytes = literal.toByteArray();
    if (bytes.length != byteWidth) {
      throw new IllegalArgumentException(
          "Expected a literal of %d bytes but found %d".formatted(byteWidth, bytes.length));
    }
    byte[] reversed = new byte[byteWidth];
    for (int i = 0; i < byteWidth; i++) {
      reversed[i] = bytes[byteWidth - 1 - i];
    }
    return signed ? new BigInteger(reversed) : new BigInteger(1, reversed);
  }

  /// Integers, which are their own keys.
  record Integers(int byteWidth, boolean signed) implements ValueKeys<BigInteger> {
    @Override
    public Range<BigInteger> domain() {
      BigInteger half = BigInteger.ONE.shiftLeft(8 * byteWidth - 1);
      return signed
          ? new Range<>(half.negate(), half)
          : new Range<>(BigInteger.ZERO, half.shiftLeft(1));
    }

    @Override
    public Range<BigInteger> of(ByteString literal) {
      BigInteger key = integer(literal, byteWidth, signed);
      return new Range<>(key, key.add(BigInteger.ONE));
    }
  }

  /// Booleans: 0 and 1.
  record Booleans() implements ValueKeys<BigInteger> {
    @Override
    public Range<BigInteger> domain() {
      return new Range<>(BigInteger.ZERO, BigInteger.TWO);
    }

    @Override
    public Range<BigInteger> of(ByteString literal) {
      BigInteger key = integer(literal, 1, false);
      return new Range<>(key, key.add(BigInteger.ONE));
    }
  }

  /// Floating-point numbers. Their keys count from negative infinity, with one for NaN after
  /// infinity. Zero has two keys, first the one of -0.0.
  record FloatingPoints(int byteWidth) implements ValueKeys<BigInteger> {

    /// Returns the bits of infinity, which are also the number of finite values below 0.0.
    long infinity() {
      return switch (byteWidth) {
        case Short.BYTES -> Float.floatToFloat16(Float.POSITIVE_INFINITY);
        case Integer.BYTES -> Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
        default -> Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
      };
    }

    @Override
    public Range<BigInteger> domain() {
      return new Range<>(BigInteger.ZERO, nan().add(BigInteger.ONE));
    }

    @Override
    public BigInteger nan() {
      return BigInteger.valueOf(infinity()).shiftLeft(1).add(BigInteger.TWO);
    }

    @Override
    public Range<BigInteger> of(ByteString literal) {
      BigInteger infinity = BigInteger.valueOf(infinity());
      BigInteger bits = integer(literal, byteWidth, false);
      BigInteger sign = BigInteger.ONE.shiftLeft(8 * byteWidth - 1);
      boolean negative = bits.compareTo(sign) >= 0;
      BigInteger magnitude = negative ? bits.subtract(sign) : bits;
      if (magnitude.compareTo(infinity) > 0) {
        return new Range<>(nan(), nan().add(BigInteger.ONE));
      }
      BigInteger negativeZero = infinity;
      if (magnitude.signum() == 0) {
        return new Range<>(negativeZero, negativeZero.add(BigInteger.TWO));
      }
      BigInteger key =
          negative
              ? negativeZero.subtract(magnitude)
              : negativeZero.add(BigInteger.ONE).add(magnitude);
      return new Range<>(key, key.add(BigInteger.ONE));
    }
  }

  /// Text and binary values, which are their own keys.
  record Binaries() implements ValueKeys<ByteString> {
    @Override
    public Range<ByteString> domain() {
      return new Range<>(ByteString.EMPTY, null);
    }

    @Override
    public Range<ByteString> of(ByteString literal) {
      return new Range<>(literal, literal.successor());
    }

    @Override
    public Range<ByteString> startingWith(ByteString prefix) {
      byte[] bytes = prefix.toByteArray();
      int last = bytes.length - 1;
      while (last >= 0 && bytes[last] == -1) {
        last--;
      }
      if (last < 0) {
        return new Range<>(prefix, null);
      }
      byte[] after = Arrays.copyOf(bytes, last + 1);
      after[last]++;
      return new Range<>(prefix, ByteString.of(after));
    }
  }
}
