package dev.quiver.arrow.statistics;

import dev.quiver.arrow.type.ArrowType;
import java.math.BigInteger;

/// The exact sum of the finite numbers of a column, which does not depend on their order.
///
/// Floating-point numbers of similar exponents share a cell of 128 bits, as in Radford M. Neal,
/// *Fast exact summation using small and large superaccumulators*, 2015. A cell has room for the
/// sum of 2^43 of them.
final class ExactSum {

  /// The exponent of the unit of floating-point numbers, the least of all numbers above zero.
  static final int UNIT_EXPONENT = -1074;

  /// The exponents that share a cell, as a power of two.
  private static final int CELL_BITS = 5;

  /// The bits of the fraction of a double.
  private static final int FRACTION_BITS = 52;

  private static final int EXPONENTS = 2046;

  private final boolean isFloatingPoint;
  private final long[] lows;
  private final long[] highs;

  /// The sum of integers beyond 64 bits.
  private BigInteger wide = BigInteger.ZERO;

  ExactSum(ArrowType type) {
    this(type instanceof ArrowType.FloatingPoint);
  }

  private ExactSum(boolean isFloatingPoint) {
    this.isFloatingPoint = isFloatingPoint;
    this.lows = new long[isFloatingPoint ? (EXPONENTS >> CELL_BITS) + 1 : 1];
    this.highs = new long[lows.length];
  }

  /// Returns an empty sum of floating-point numbers.
  static ExactSum ofNumbers() {
    return new ExactSum(true);
  }

  /// Adds a key of [NumberKeys] as often as it occurs.
  void addKey(long key, long count) {
    if (isFloatingPoint) {
      addNumber(NumberKeys.number(key), count);
    } else {
      add(0, key, 0, count);
    }
  }

  void addInteger(BigInteger integer, long count) {
    wide = wide.add(integer.multiply(BigInteger.valueOf(count)));
  }

  void addNumber(double number, long count) {
    long bits = Double.doubleToRawLongBits(number);
    int exponent = exponent(bits);
    add(exponent >> CELL_BITS, significand(bits), exponent & (1 << CELL_BITS) - 1, count);
  }

  private void add(int cell, long value, int shift, long count) {
    long low = value * count;
    long high = Math.multiplyHigh(value, count);
    if (shift > 0) {
      high = high << shift | low >>> Long.SIZE - shift;
      low <<= shift;
    }
    long sum = lows[cell] + low;
    highs[cell] += high + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
    lows[cell] = sum;
  }

  void merge(ExactSum other) {
    for (int i = 0; i < lows.length; i++) {
      long sum = lows[i] + other.lows[i];
      highs[i] += other.highs[i] + (Long.compareUnsigned(sum, lows[i]) < 0 ? 1 : 0);
      lows[i] = sum;
    }
    wide = wide.add(other.wide);
  }

  /// Returns the sum, for floating-point numbers in units of 2^[#UNIT_EXPONENT].
  BigInteger total() {
    BigInteger total = wide;
    for (int i = 0; i < lows.length; i++) {
      // The low word is unsigned: its highest bit counts as a carry.
      BigInteger high = BigInteger.valueOf(highs[i] + (lows[i] >>> Long.SIZE - 1));
      BigInteger cell = high.shiftLeft(Long.SIZE).add(BigInteger.valueOf(lows[i]));
      total = total.add(cell.shiftLeft(i << CELL_BITS));
    }
    return total;
  }

  /// Returns a finite number in units of 2^[#UNIT_EXPONENT].
  static BigInteger units(double number) {
    long bits = Double.doubleToRawLongBits(number);
    return BigInteger.valueOf(significand(bits)).shiftLeft(exponent(bits));
  }

  /// Returns the exponent of the significand above the one of the unit.
  private static int exponent(long bits) {
    int biased = (int) (bits >>> FRACTION_BITS) & 0x7FF;
    return Math.max(biased - 1, 0);
  }

  private static long significand(long bits) {
    long fraction = bits & (1L << FRACTION_BITS) - 1;
    boolean isNormal = (bits & 0x7FFL << FRACTION_BITS) != 0;
    long magnitude = isNormal ? fraction | 1L << FRACTION_BITS : fraction;
    return bits < 0 ? -magnitude : magnitude;
  }
}
