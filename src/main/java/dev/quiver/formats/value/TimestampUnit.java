package dev.quiver.formats.value;

/// A unit of timestamps or times of day, of which a second has a power of ten.
final class TimestampUnit {

  private static final int NANOSECOND_DIGITS = 9;
  private static final long NANOSECONDS_PER_SECOND = 1_000_000_000;

  private final int fractionDigits;
  private final long perSecond;
  private final long nanosecondsPerUnit;

  /// @param fractionDigits the digits after a second
  TimestampUnit(int fractionDigits) {
    this.fractionDigits = fractionDigits;
    this.nanosecondsPerUnit = nanoseconds(fractionDigits);
    this.perSecond = NANOSECONDS_PER_SECOND / nanosecondsPerUnit;
  }

  int fractionDigits() {
    return fractionDigits;
  }

  /// Returns the nanoseconds of the last of these digits after a second.
  static long nanoseconds(int digits) {
    long nanoseconds = 1;
    for (int i = digits; i < NANOSECOND_DIGITS; i++) {
      nanoseconds *= 10;
    }
    return nanoseconds;
  }

  /// Gives a parser the value of a timestamp.
  ///
  /// @param nanoseconds those after the second
  /// @return whether 64 bits hold it
  boolean set(ValueParser parser, long seconds, long nanoseconds) {
    long product = seconds * perSecond;
    long units = product + nanoseconds / nanosecondsPerUnit;
    long carry = Long.compareUnsigned(units, product) < 0 ? 1 : 0;
    parser.low = units;
    return Math.multiplyHigh(seconds, perSecond) + carry == units >> Long.SIZE - 1;
  }
}
