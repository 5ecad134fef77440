package dev.quiver.arrow.text;

import java.math.BigInteger;

/// Powers of ten with 128 bits, and logarithms, for [ShortestDecimals].
final class PowersOfTen {

  /// The exponents that double-precision numbers need.
  private static final int LEAST = -292;

  private static final int GREATEST = 324;

  private static final long[] HIGH = new long[GREATEST - LEAST + 1];
  private static final long[] LOW = new long[GREATEST - LEAST + 1];

  static {
    // Each power is computed from the previous one, with more bits than the result needs.
    BigInteger power = BigInteger.ONE;
    for (int exponent = 0; exponent <= GREATEST; exponent++) {
      set(exponent, power.shiftLeft(128).shiftRight(power.bitLength()));
      if (exponent != 0 && -exponent >= LEAST) {
        // A power of ten is not a power of two, so the quotient is not a whole number.
        set(-exponent, BigInteger.ONE.shiftLeft(127 + power.bitLength()).divide(power));
      }
      power = power.multiply(BigInteger.TEN);
    }
  }

  private PowersOfTen() {}

  private static void set(int exponent, BigInteger significand) {
    HIGH[exponent - LEAST] = significand.shiftRight(64).longValue();
    LOW[exponent - LEAST] = significand.longValue();
  }

  /// Returns the first 64 bits of a power of ten. The highest bit is one.
  static long high(int exponent) {
    return HIGH[exponent - LEAST];
  }

  /// Returns the next 64 bits, rounded down.
  static long low(int exponent) {
    return LOW[exponent - LEAST];
  }

  /// Returns the exponent of the largest power of ten that does not exceed a power of two.
  static int floorLog10OfPowerOf2(int exponent) {
    return (int) (exponent * 1_292_913_986L >> 32);
  }

  /// Returns the exponent of the largest power of ten that does not exceed 3/4 of a power of two.
  static int floorLog10OfThreeQuartersOfPowerOf2(int exponent) {
    return (int) (exponent * 1_292_913_986L - 536_607_788L >> 32);
  }

  /// Returns the exponent of the largest power of two that does not exceed a power of ten.
  static int floorLog2OfPowerOf10(int exponent) {
    return (int) (exponent * 14_267_572_527L >> 32);
  }
}
