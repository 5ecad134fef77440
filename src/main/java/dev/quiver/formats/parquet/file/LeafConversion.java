package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;

/// A conversion of the values of a leaf to its Arrow type, both of fixed width.
public interface LeafConversion {

  long NANOSECONDS_PER_MICROSECOND = 1000;
  long NANOSECONDS_PER_MILLISECOND = 1_000_000;
  long NANOSECONDS_PER_DAY = 86_400_000_000_000L;

  /// The Julian day of 1970-01-01.
  long EPOCH_DAY = 2_440_588;

  /// The bytes of an INT96 timestamp, and of an INTERVAL.
  int STORED_BYTE_WIDTH = 12;

  /// Converts values from the start of an array to the start of another.
  ///
  /// @throws ForeignDataException if the Arrow type cannot hold a value; the message lacks the
  ///   column
  void convert(byte[] source, byte[] target, int count);

  /// The absence of a conversion.
  LeafConversion NONE =
      (_, _, _) -> {
        throw new IllegalStateException("Nothing to convert");
      };

  LeafConversion INT8 = (source, target, count) -> narrow8(source, target, count, Byte.MIN_VALUE);
  LeafConversion UINT8 = (source, target, count) -> narrow8(source, target, count, 0);
  LeafConversion INT16 =
      (source, target, count) -> narrow16(source, target, count, Short.MIN_VALUE);
  LeafConversion UINT16 = (source, target, count) -> narrow16(source, target, count, 0);

  private static void narrow8(byte[] source, byte[] target, int count, int minimum) {
    int beyond = 0;
    for (int i = 0; i < count; i++) {
      int value = LittleEndian.getInt32(source, i << 2);
      beyond |= value - minimum;
      target[i] = (byte) value;
    }
    requireFit(beyond, Byte.SIZE);
  }

  private static void narrow16(byte[] source, byte[] target, int count, int minimum) {
    int beyond = 0;
    for (int i = 0; i < count; i++) {
      int value = LittleEndian.getInt32(source, i << 2);
      beyond |= value - minimum;
      LittleEndian.setInt16(target, i << 1, (short) value);
    }
    requireFit(beyond, Short.SIZE);
  }

  private static void requireFit(int beyond, int bitWidth) {
    if (beyond >>> bitWidth != 0) {
      throw ForeignDataException.of(
          "Expected integers of %d bits but found one outside their range".formatted(bitWidth));
    }
  }

  /// INT96 timestamps, the nanoseconds of a day and its Julian day, as nanoseconds.
  LeafConversion TIMESTAMPS =
      (source, target, count) -> {
        for (int i = 0; i < count; i++) {
          long nanoseconds = LittleEndian.getInt64(source, i * STORED_BYTE_WIDTH);
          long day = LittleEndian.getInt32(source, i * STORED_BYTE_WIDTH + Long.BYTES) - EPOCH_DAY;
          // The exact sum has 128 bits: on the first day of the range, the start is below it.
          long low = day * NANOSECONDS_PER_DAY;
          long sum = low + nanoseconds;
          long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
          long high = Math.multiplyHigh(day, NANOSECONDS_PER_DAY) + (nanoseconds >> 63) + carry;
          if (high != sum >> 63) {
            throw new BeyondNanosecondsException();
          }
          LittleEndian.setInt64(target, i << 3, sum);
        }
      };

  /// INT96 timestamps as microseconds, rounded down.
  LeafConversion COARSE_TIMESTAMPS =
      (source, target, count) -> {
        try {
          for (int i = 0; i < count; i++) {
            LittleEndian.setInt64(target, i << 3, microseconds(source, i * STORED_BYTE_WIDTH));
          }
        } catch (ArithmeticException e) {
          throw beyondMicroseconds();
        }
      };

  private static long microseconds(byte[] source, int start) {
    long nanoseconds = LittleEndian.getInt64(source, start);
    long day = LittleEndian.getInt32(source, start + Long.BYTES) - EPOCH_DAY;
    return Math.addExact(
        Math.multiplyExact(day, NANOSECONDS_PER_DAY / NANOSECONDS_PER_MICROSECOND),
        Math.floorDiv(nanoseconds, NANOSECONDS_PER_MICROSECOND));
  }

  private static ForeignDataException beyondMicroseconds() {
    return ForeignDataException.of(
        "Expected timestamps whose microseconds fit 64 bits but found one that exceeds them");
  }

  /// Thrown for an INT96 timestamp beyond the range of nanoseconds, 1677 to 2262.
  final class BeyondNanosecondsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BeyondNanosecondsException() {
      super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
  }

  /// Intervals of months, days and milliseconds without a sign, as months, days and nanoseconds.
  LeafConversion INTERVALS =
      (source, target, count) -> {
        for (int i = 0; i < count; i++) {
          LittleEndian.setInt64(
              target, i << 4, LittleEndian.getInt64(source, i * STORED_BYTE_WIDTH));
          long milliseconds =
              LittleEndian.getInt32(source, i * STORED_BYTE_WIDTH + Long.BYTES) & 0xFFFF_FFFFL;
          LittleEndian.setInt64(
              target, (i << 4) + Long.BYTES, milliseconds * NANOSECONDS_PER_MILLISECOND);
        }
      };
}
