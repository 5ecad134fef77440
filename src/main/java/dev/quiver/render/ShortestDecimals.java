package dev.quiver.render;

import java.io.IOException;

/// Floating point numbers with as few digits as tell them apart from others of their precision, and
/// of those decimals the closest: the digits that [Double#toString(double)] and
/// [Float#toString(float)] give, without a string.
///
/// A number is `c·2^q`. Scaled by the power of ten `10^-k` that brings the distance of its
/// neighbours to between 1 and 10, the whole numbers around it include some that are read back as
/// it, and at most one multiple of ten does; that one is shorter. See Raffaello Giulietti, *The
/// Schubfach way to render doubles*.
final class ShortestDecimals {

  private static final int DOUBLE_FRACTION_BITS = 52;
  private static final int DOUBLE_LEAST_EXPONENT = -1_074;
  private static final long DOUBLE_TINY_END = 3;
  private static final int FLOAT_FRACTION_BITS = 23;
  private static final int FLOAT_LEAST_EXPONENT = -149;
  private static final long FLOAT_TINY_END = 8;

  /// Whole numbers from here on are written with an exponent.
  private static final double PLAIN_END = 1e7;

  /// In fixed-point numbers, the bits after the point: ten has room besides the sign.
  private static final int POINT = 59;

  private static final long LOW_63_BITS = Long.MAX_VALUE;

  private ShortestDecimals() {}

  /// Writes a finite double-precision number of these bits.
  static void putDouble(long bits, TextOutput output) throws IOException {
    sign(bits, output);
    double magnitude = Double.longBitsToDouble(bits & Long.MAX_VALUE);
    long whole = (long) magnitude;
    if (whole == magnitude && magnitude < PLAIN_END) {
      DecimalText.putWhole(whole, output);
      return;
    }
    int exponent = (int) (bits >>> DOUBLE_FRACTION_BITS) & 0x7FF;
    long fraction = bits & (1L << DOUBLE_FRACTION_BITS) - 1;
    put(exponent, fraction, DOUBLE_FRACTION_BITS, DOUBLE_LEAST_EXPONENT, DOUBLE_TINY_END, output);
  }

  /// Writes a finite single-precision number of these bits.
  static void putFloat(int bits, TextOutput output) throws IOException {
    sign(bits, output);
    float magnitude = Float.intBitsToFloat(bits & Integer.MAX_VALUE);
    long whole = (long) magnitude;
    if (whole == magnitude && magnitude < PLAIN_END) {
      DecimalText.putWhole(whole, output);
      return;
    }
    int exponent = bits >>> FLOAT_FRACTION_BITS & 0xFF;
    long fraction = bits & (1 << FLOAT_FRACTION_BITS) - 1;
    put(exponent, fraction, FLOAT_FRACTION_BITS, FLOAT_LEAST_EXPONENT, FLOAT_TINY_END, output);
  }

  private static void sign(long bits, TextOutput output) throws IOException {
    output.ensure(Long.BYTES);
    // Of nothing where there is none, so that nobody has to foresee it.
    output.word('-', (int) (bits >>> 63));
  }

  /// @param tinyEnd a subnormal number below this many times the least one has one digit that is
  ///   not enough: two are asked for
  private static void put(
      int biasedExponent,
      long fraction,
      int fractionBits,
      int leastExponent,
      long tinyEnd,
      TextOutput output)
      throws IOException {
    if (biasedExponent == 0) {
      boolean tiny = fraction < tinyEnd;
      putExact(tiny ? 10 * fraction : fraction, leastExponent, false, tiny ? -1 : 0, output);
      return;
    }
    long c = fraction | 1L << fractionBits;
    int q = leastExponent - 1 + biasedExponent;
    if (fraction == 0) {
      // The neighbour below is nearer than the one above, but for the least normal number.
      putExact(c, q, biasedExponent != 1, 0, output);
    } else {
      put(c, q, output);
    }
  }

  /// Writes `c·2^q` whose neighbours are equally far away, by a product that is a little too small,
  /// unless what is decided could be otherwise for the exact one.
  private static void put(long c, int q, TextOutput output) throws IOException {
    int k = PowersOfTen.floorLog10OfPowerOf2(q);
    int shift = q + PowersOfTen.floorLog2OfPowerOf10(-k) + 1;
    long power = PowersOfTen.high(-k);
    long factor = c << shift;
    // The number, scaled, is the whole and 2^-64 times the rest.
    long product = factor * power;
    long rest = product + Math.unsignedMultiplyHigh(factor, PowersOfTen.low(-k));
    long whole =
        Math.unsignedMultiplyHigh(factor, power) + (Long.compareUnsigned(rest, product) >>> 31);
    long tens = whole / 10 * 10;
    long half = power >>> 65 - POINT - shift;
    long aboveTens = whole - tens << POINT | rest >>> 64 - POINT;
    long tensIn = half - aboveTens;
    long nextTensIn = half - ((10L << POINT) - aboveTens);
    long aboveMiddle = (rest >>> 1) - (1L << 62);
    if (isUnsure(tensIn) || isUnsure(nextTensIn) || isUnsure(aboveMiddle)) {
      putExact(c, q, false, 0, output);
      return;
    }
    // Which one it is no branch prediction foresees: a difference that counts is and'ed with ones.
    long nearest = whole + (~aboveMiddle >>> 63);
    long digits = nearest + (tens - nearest & -tensIn >> 63);
    digits += tens + 10 - digits & -nextTensIn >> 63;
    DecimalText.put(digits, k, output);
  }

  /// Whether a difference of numbers that are off by one or so may have the other sign.
  private static boolean isUnsure(long difference) {
    return Long.compareUnsigned(difference + 3, 6) <= 0;
  }

  /// Writes `c·2^q·10^scale`, by products whose last bit says whether others follow it, which is
  /// all that is to be known.
  ///
  /// @param uneven whether the neighbour below is only half as far away as the one above
  private static void putExact(long c, int q, boolean uneven, int scale, TextOutput output)
      throws IOException {
    int k =
        uneven
            ? PowersOfTen.floorLog10OfThreeQuartersOfPowerOf2(q)
            : PowersOfTen.floorLog10OfPowerOf2(q);
    int shift = q + PowersOfTen.floorLog2OfPowerOf10(-k) + 2;
    // The power of ten in 126 bits, rounded up.
    long powerLow = (PowersOfTen.low(-k) >>> 2 | PowersOfTen.high(-k) << 62) + 1;
    long carry = powerLow == 0 ? 1 : 0;
    long power = (PowersOfTen.high(-k) >>> 2) + carry << 1 | powerLow >>> 63;
    powerLow &= LOW_63_BITS;
    // Four times the number, scaled, and four times where the numbers read back as it end.
    long value = product(power, powerLow, c << 2 << shift);
    long least = product(power, powerLow, (c << 2) - (uneven ? 1 : 2) << shift);
    long greatest = product(power, powerLow, (c << 2) + 2 << shift);
    // The ends themselves are read back as the even one of the two numbers beside them.
    least += c & 1;
    greatest -= c & 1;
    long whole = value >>> 2;
    long tens = whole / 10 * 10;
    if (whole >= 100) {
      boolean tensIn = least <= tens << 2;
      boolean nextTensIn = tens + 10 << 2 <= greatest;
      if (tensIn != nextTensIn) {
        DecimalText.put(tensIn ? tens : tens + 10, k, output);
        return;
      }
    }
    boolean wholeIn = least <= whole << 2;
    boolean nextIn = whole + 1 << 2 <= greatest;
    long aboveMiddle = value - (whole << 2) - 2;
    boolean up =
        wholeIn == nextIn ? aboveMiddle > 0 || aboveMiddle == 0 && (whole & 1) != 0 : nextIn;
    DecimalText.put(up ? whole + 1 : whole, k + scale, output);
  }

  /// The whole number in `(power·2^63 + powerLow)·factor·2^-126`, and one more bit of it or'ed into
  /// its last when a fraction follows.
  private static long product(long power, long powerLow, long factor) {
    long low = power * factor;
    long middle = (low >>> 1) + Math.multiplyHigh(powerLow, factor);
    long whole = Math.multiplyHigh(power, factor) + (middle >>> 63);
    return whole | (middle & LOW_63_BITS) + LOW_63_BITS >>> 63;
  }
}
