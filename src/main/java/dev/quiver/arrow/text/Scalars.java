package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writers of values other than text and nested values, with quotes around them where requested.
final class Scalars {

  private static final int MILLISECONDS_PER_DAY = 86_400_000;

  private static final PreparedText TRUE = PreparedText.of("true");
  private static final PreparedText FALSE = PreparedText.of("false");

  private Scalars() {}

  /// Returns a writer of booleans.
  static SlotWriter bool(ArrayData array) {
    BitmapReader bits = new BitmapReader(array.buffer(BufferRole.DATA));
    return (slot, output) -> output.put(bits.get(slot) ? TRUE : FALSE);
  }

  static SlotWriter integer(ArrowType.Int type, ArrayData array) {
    FixedWidthWindow values = FixedWidthWindow.of(array);
    return type.signed() || type.bitWidth() < Long.SIZE
        ? (slot, output) -> output.putInteger(values.get(slot))
        : (slot, output) -> output.putUnsigned(values.get(slot));
  }

  /// Returns a writer of floating-point numbers with the fewest digits that distinguish them from
  /// others of their precision.
  ///
  /// @param nonFinite writes NaN and the infinities
  static SlotWriter floatingPoint(Precision precision, NonFinite nonFinite, ArrayData array) {
    FixedWidthWindow values = FixedWidthWindow.of(array);
    return switch (precision) {
      case HALF ->
          (slot, output) -> {
            short bits = (short) values.get(slot);
            float value = Float.float16ToFloat(bits);
            if (Float.isFinite(value)) {
              HalfFloats.put(bits, output);
            } else {
              output.put(nonFinite.text(value));
            }
          };
      case SINGLE ->
          (slot, output) -> {
            int bits = (int) values.get(slot);
            float value = Float.intBitsToFloat(bits);
            if (Float.isFinite(value)) {
              ShortestDecimals.putFloat(bits, output);
            } else {
              output.put(nonFinite.text(value));
            }
          };
      case DOUBLE ->
          (slot, output) -> {
            long bits = values.get(slot);
            double value = Double.longBitsToDouble(bits);
            if (Double.isFinite(value)) {
              ShortestDecimals.putDouble(bits, output);
            } else {
              output.put(nonFinite.text(value));
            }
          };
    };
  }

  /// Returns the text of NaN or an infinity.
  @FunctionalInterface
  interface NonFinite {
    String text(double value);
  }

  static SlotWriter decimal(ArrowType.Decimal type, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    DecimalText decimals = new DecimalText(type.bitWidth(), type.scale());
    long byteWidth = type.bitWidth() >>> 3;
    return (slot, output) -> decimals.write(data, slot * byteWidth, output);
  }

  /// Returns a writer of dates. Milliseconds that are not whole days include their time.
  static SlotWriter date(DateUnit unit, PreparedText quote, ArrayData array) {
    FixedWidthWindow values = FixedWidthWindow.of(array);
    return switch (unit) {
      case DAY ->
          (slot, output) -> {
            output.put(quote);
            IsoText.date(values.get(slot), output);
            output.put(quote);
          };
      case MILLISECOND ->
          (slot, output) -> {
            output.put(quote);
            long value = values.get(slot);
            if (Math.floorMod(value, MILLISECONDS_PER_DAY) == 0) {
              IsoText.date(Math.floorDiv(value, MILLISECONDS_PER_DAY), output);
            } else {
              IsoText.timestamp(value, TimeUnit.MILLISECOND, output);
            }
            output.put(quote);
          };
    };
  }

  static SlotWriter time(TimeUnit unit, PreparedText quote, ArrayData array) {
    FixedWidthWindow values = FixedWidthWindow.of(array);
    return (slot, output) -> {
      output.put(quote);
      IsoText.time(values.get(slot), unit, output);
      output.put(quote);
    };
  }

  /// Returns a writer of timestamps. With a timezone, they are in UTC and end in `Z`. Only the
  /// schema names the timezone.
  static SlotWriter timestamp(ArrowType.Timestamp type, PreparedText quote, ArrayData array) {
    FixedWidthWindow values = FixedWidthWindow.of(array);
    TimeUnit unit = type.unit();
    boolean utc = isUtc(type);
    return (slot, output) -> {
      output.put(quote);
      IsoText.timestamp(values.get(slot), unit, output);
      if (utc) {
        output.put('Z');
      }
      output.put(quote);
    };
  }

  /// Returns whether timestamps of a type are in UTC rather than local.
  static boolean isUtc(ArrowType.Timestamp type) {
    return type.timezone() != null && !type.timezone().isEmpty();
  }

  static SlotWriter duration(TimeUnit unit, PreparedText quote, ArrayData array) {
    FixedWidthWindow values = FixedWidthWindow.of(array);
    return (slot, output) -> {
      output.put(quote);
      IsoText.duration(values.get(slot), unit, output);
      output.put(quote);
    };
  }

  static SlotWriter interval(IntervalUnit unit, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    return switch (unit) {
      case YEAR_MONTH -> (slot, output) -> months(LittleEndian.getInt32(data, slot << 2), output);
      case DAY_TIME ->
          (slot, output) ->
              IsoText.interval(
                  0,
                  LittleEndian.getInt32(data, slot << 3),
                  LittleEndian.getInt32(data, (slot << 3) + 4),
                  TimeUnit.MILLISECOND,
                  output);
      case MONTH_DAY_NANO ->
          (slot, output) ->
              IsoText.interval(
                  LittleEndian.getInt32(data, slot << 4),
                  LittleEndian.getInt32(data, (slot << 4) + 4),
                  LittleEndian.getInt64(data, (slot << 4) + 8),
                  TimeUnit.NANOSECOND,
                  output);
    };
  }

  private static void months(int months, TextOutput output) throws IOException {
    output.put('P');
    output.putInteger(months);
    output.put('M');
  }

  /// Returns a writer of bytes as base64.
  static SlotWriter binary(PreparedText quote, SlotBytes values) {
    return (slot, output) -> {
      output.put(quote);
      values.seek(slot);
      do {
        output.putBase64(values.bytes(), values.start(), values.end());
      } while (values.next());
      output.put(values.ellipsis());
      output.put(quote);
    };
  }
}
