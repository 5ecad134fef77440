package dev.quiver.sql.worker;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Numbers in the order that DuckDB gives to the values of a column: a later value has a larger
/// number, and equal values have the same.
@FunctionalInterface
public interface LeadingKeys {

  /// Returns the number of a slot that is not null.
  ///
  /// @param data the buffer of the values
  long key(MemorySegment data, long slot);

  /// Returns whether a column has such numbers. Types that DuckDB stores with less precision have
  /// none.
  static boolean exist(Field field) {
    return of(field) != null;
  }

  /// Returns the numbers of a column, or null if it has no such order.
  static @Nullable LeadingKeys of(Field field) {
    if (field.dictionary() != null || field.extensionName() != null) {
      return null;
    }
    return switch (field.type()) {
      case ArrowType.Int(int bitWidth, boolean isSigned) -> integers(bitWidth, isSigned);
      case ArrowType.FloatingPoint(Precision precision) ->
          switch (precision) {
            case HALF -> null;
            case SINGLE ->
                (data, slot) -> key(Float.intBitsToFloat(LittleEndian.getInt32(data, slot << 2)));
            case DOUBLE ->
                (data, slot) ->
                    key(Double.longBitsToDouble(LittleEndian.getInt64(data, slot << 3)));
          };
      case ArrowType.Date(DateUnit unit) ->
          unit == DateUnit.DAY ? integers(Integer.SIZE, true) : null;
      case ArrowType.Timestamp(TimeUnit unit, String zone) ->
          zone == null || unit == TimeUnit.MICROSECOND ? integers(Long.SIZE, true) : null;
      default -> null;
    };
  }

  private static LeadingKeys integers(int bitWidth, boolean isSigned) {
    return switch (bitWidth) {
      case Byte.SIZE ->
          isSigned
              ? LittleEndian::getInt8
              : (data, slot) -> Byte.toUnsignedLong(LittleEndian.getInt8(data, slot));
      case Short.SIZE ->
          isSigned
              ? (data, slot) -> LittleEndian.getInt16(data, slot << 1)
              : (data, slot) -> Short.toUnsignedLong(LittleEndian.getInt16(data, slot << 1));
      case Integer.SIZE ->
          isSigned
              ? (data, slot) -> LittleEndian.getInt32(data, slot << 2)
              : (data, slot) -> Integer.toUnsignedLong(LittleEndian.getInt32(data, slot << 2));
      default ->
          isSigned
              ? (data, slot) -> LittleEndian.getInt64(data, slot << 3)
              : (data, slot) -> LittleEndian.getInt64(data, slot << 3) ^ Long.MIN_VALUE;
    };
  }

  /// Zeros are equal, and NaN comes after all numbers.
  private static long key(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits ^ bits >> Long.SIZE - 1 & Long.MAX_VALUE;
  }
}
