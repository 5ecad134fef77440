package dev.quiver.foreign.text;

/// A unit of timestamps or times of day, of which a second has a power of ten.
///
/// @param fractionDigits the digits after a second
record TimestampUnit(int fractionDigits) {

  private static final long NANOSECONDS_PER_SECOND = 1_000_000_000;

  /// Returns the units of a fraction of a second.
  long ofNanoseconds(long nanoseconds) {
    return nanoseconds / nanoseconds(fractionDigits);
  }

  long perSecond() {
    return NANOSECONDS_PER_SECOND / nanoseconds(fractionDigits);
  }

  /// Returns the nanoseconds of the last of these digits after a second.
  static long nanoseconds(int digits) {
    return switch (digits) {
      case 9 -> 1;
      case 6 -> 1_000;
      case 3 -> 1_000_000;
      default -> {
        long nanoseconds = NANOSECONDS_PER_SECOND;
        for (int i = 0; i < digits; i++) {
          nanoseconds /= 10;
        }
        yield nanoseconds;
      }
    };
  }

  /// Gives a parser the value of a timestamp.
  ///
  /// @param nanoseconds those after the second
  /// @return whether 64 bits hold it
  boolean set(ValueParser parser, long seconds, long nanoseconds) {
    long perSecond = perSecond();
    long product = seconds * perSecond;
    long units = product + ofNanoseconds(nanoseconds);
    long carry = Long.compareUnsigned(units, product) < 0 ? 1 : 0;
    parser.low = units;
    return Math.multiplyHigh(seconds, perSecond) + carry == units >> Long.SIZE - 1;
  }
}
