package dev.quiver.render;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.DateUnit;
import dev.quiver.columnar.IntervalUnit;
import dev.quiver.columnar.Precision;
import dev.quiver.columnar.TimeUnit;
import dev.quiver.memory.Bitmaps;
import dev.quiver.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Values that are neither text nor made of other values, without quotes around them.
final class Scalars {

  private static final int MILLISECONDS_PER_DAY = 86_400_000;

  private Scalars() {}

  /// Booleans.
  static SlotWriter bool(ArrayData array) {
    MemorySegment bits = array.buffer(BufferRole.DATA);
    return (slot, output) -> output.put(Bitmaps.get(bits, slot) ? "true" : "false");
  }

  static SlotWriter integer(ArrowType.Int type, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    return switch (type.bitWidth()) {
      case 8 ->
          type.signed()
              ? (slot, output) -> output.putInteger(LittleEndian.getInt8(data, slot))
              : (slot, output) ->
                  output.putInteger(Byte.toUnsignedLong(LittleEndian.getInt8(data, slot)));
      case 16 ->
          type.signed()
              ? (slot, output) -> output.putInteger(LittleEndian.getInt16(data, slot << 1))
              : (slot, output) ->
                  output.putInteger(Short.toUnsignedLong(LittleEndian.getInt16(data, slot << 1)));
      case 32 ->
          type.signed()
              ? (slot, output) -> output.putInteger(LittleEndian.getInt32(data, slot << 2))
              : (slot, output) ->
                  output.putInteger(Integer.toUnsignedLong(LittleEndian.getInt32(data, slot << 2)));
      default ->
          type.signed()
              ? (slot, output) -> output.putInteger(LittleEndian.getInt64(data, slot << 3))
              : (slot, output) -> output.putUnsigned(LittleEndian.getInt64(data, slot << 3));
    };
  }

  /// Floating point numbers with as few digits as tell them apart from others of their precision.
  ///
  /// @param nonFinite writes what is no number or infinite
  static SlotWriter floatingPoint(Precision precision, NonFinite nonFinite, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    return switch (precision) {
      case HALF ->
          (slot, output) -> {
            short bits = LittleEndian.getInt16(data, slot << 1);
            float value = Float.float16ToFloat(bits);
            output.put(Float.isFinite(value) ? HalfFloats.toString(bits) : nonFinite.text(value));
          };
      case SINGLE ->
          (slot, output) -> {
            float value = data.get(LittleEndian.FLOAT32, slot << 2);
            output.put(Float.isFinite(value) ? Float.toString(value) : nonFinite.text(value));
          };
      case DOUBLE ->
          (slot, output) -> {
            double value = data.get(LittleEndian.FLOAT64, slot << 3);
            output.put(Double.isFinite(value) ? Double.toString(value) : nonFinite.text(value));
          };
    };
  }

  /// The text of what is no number or infinite.
  @FunctionalInterface
  interface NonFinite {
    String text(double value);
  }

  static SlotWriter decimal(ArrowType.Decimal type, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    Decimals decimals = new Decimals(type.bitWidth(), type.scale());
    long byteWidth = type.bitWidth() >>> 3;
    return (slot, output) -> decimals.write(data, slot * byteWidth, output);
  }

  /// Dates. Milliseconds that are not whole days have their time, too.
  static SlotWriter date(DateUnit unit, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    return switch (unit) {
      case DAY -> (slot, output) -> IsoText.date(LittleEndian.getInt32(data, slot << 2), output);
      case MILLISECOND ->
          (slot, output) -> {
            long value = LittleEndian.getInt64(data, slot << 3);
            if (Math.floorMod(value, MILLISECONDS_PER_DAY) == 0) {
              IsoText.date(Math.floorDiv(value, MILLISECONDS_PER_DAY), output);
            } else {
              IsoText.timestamp(value, TimeUnit.MILLISECOND, output);
            }
          };
    };
  }

  static SlotWriter time(TimeUnit unit, ArrayData array) {
    Array.FixedWidth values = (Array.FixedWidth) Array.of(array);
    return (slot, output) -> IsoText.time(values.integer(slot), unit, output);
  }

  /// Timestamps: in UTC, with a `Z`, when there is a timezone. Which one it is the schema says, and
  /// nothing depends on whether it is known here.
  static SlotWriter timestamp(ArrowType.Timestamp type, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    boolean utc = type.timezone() != null && !type.timezone().isEmpty();
    return (slot, output) -> {
      IsoText.timestamp(LittleEndian.getInt64(data, slot << 3), type.unit(), output);
      if (utc) {
        output.put('Z');
      }
    };
  }

  static SlotWriter duration(TimeUnit unit, ArrayData array) {
    MemorySegment data = array.buffer(BufferRole.DATA);
    return (slot, output) -> IsoText.duration(LittleEndian.getInt64(data, slot << 3), unit, output);
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

  /// Bytes as base64.
  static SlotWriter binary(ArrayData array) {
    Array.Bytes values = (Array.Bytes) Array.of(array);
    return (slot, output) -> output.putBase64(values.bytes(slot));
  }
}
