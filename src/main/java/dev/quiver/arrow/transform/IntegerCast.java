package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.SegmentAllocator;

/// A cast of integers, or of numbers of a unit of time, to another width or unit.
///
/// @param minimum the least value of the type
/// @param maximum its greatest value, at most the greatest of 64 signed bits
/// @param fromUnsigned64 whether values above 2⁶³-1 arrive as negative ones
record IntegerCast(
    Field to,
    int byteWidth,
    long minimum,
    long maximum,
    boolean fromUnsigned64,
    long multiplier,
    long divisor)
    implements Cast {

  static Cast of(Field from, Field to) {
    return scaled(from, to, 1, 1);
  }

  /// @param multiplier the number of units in a second of `to`
  /// @param divisor the divisor of `from`; one of the two divides the other
  static Cast scaled(Field from, Field to, long multiplier, long divisor) {
    Layout layout = Layout.of(to);
    int bitWidth = (int) layout.buffers().get(layout.indexOf(BufferRole.DATA)).bitWidth();
    boolean unsigned = isUnsigned(to);
    long maximum = Long.MAX_VALUE >>> Long.SIZE - bitWidth;
    if (unsigned && bitWidth < Long.SIZE) {
      maximum = 2 * maximum + 1;
    }
    return new IntegerCast(
        to,
        bitWidth / Byte.SIZE,
        unsigned ? 0 : -maximum - 1,
        maximum,
        isUnsigned(from) && ((ArrowType.Int) from.type()).bitWidth() == Long.SIZE,
        multiplier >= divisor ? multiplier / divisor : 1,
        divisor > multiplier ? divisor / multiplier : 1);
  }

  private static boolean isUnsigned(Field field) {
    return field.type() instanceof ArrowType.Int(_, boolean signed) && !signed;
  }

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    Array.FixedWidth source = (Array.FixedWidth) Array.of(array);
    return Casts.integers(array, to, byteWidth, i -> cast(source.integer(i)), allocator);
  }

  private long cast(long value) {
    if (fromUnsigned64 && value < 0) {
      throw invalid(Long.toUnsignedString(value));
    }
    if (value % divisor != 0) {
      throw InvalidCastException.of("a multiple of " + divisor, value, to);
    }
    long scaled = value / divisor;
    if (multiplier != 1) {
      long high = Math.multiplyHigh(scaled, multiplier);
      long low = scaled * multiplier;
      if (high != low >> Long.SIZE - 1) {
        throw invalid(Long.toString(value));
      }
      scaled = low;
    }
    if (scaled < minimum || scaled > maximum) {
      throw invalid(Long.toString(value));
    }
    return scaled;
  }

  private InvalidCastException invalid(String found) {
    return InvalidCastException.of("a value of " + to.describeType(), found, to);
  }
}
