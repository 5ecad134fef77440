package dev.quiver.sql.vector;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.vector.ConvertedFiller.Conversion;
import java.lang.foreign.MemorySegment;

/// The loops that convert values of Arrow to those of DuckDB. Each returns whether all values fit.
final class EngineValues {

  /// The size of UUIDs, and of intervals: months, days and microseconds.
  static final int WIDE_BYTE_SIZE = 16;

  private static final long DAY_MILLISECONDS = 86_400_000;
  private static final int NANOSECONDS = 1000;

  private EngineValues() {}

  /// Returns the conversion of values that both sides store alike.
  static Conversion same(int byteWidth) {
    return (data, slot, count, target) -> {
      NativeMemory.copyTo(target, data, slot * byteWidth, (long) count * byteWidth);
      return true;
    };
  }

  /// Converts booleans of a bit.
  static boolean bits(MemorySegment data, long slot, int count, long target) {
    for (int i = 0; i < count; i++) {
      long index = slot + i;
      int value = LittleEndian.getInt8(data, index >>> 3) >>> (index & 7) & 1;
      NativeMemory.setInt8(target + i, (byte) value);
    }
    return true;
  }

  /// Converts booleans of a byte, which is not zero if true.
  static boolean bytes(MemorySegment data, long slot, int count, long target) {
    for (int i = 0; i < count; i++) {
      NativeMemory.setInt8(target + i, (byte) (LittleEndian.getInt8(data, slot + i) != 0 ? 1 : 0));
    }
    return true;
  }

  /// Widens half-precision numbers.
  static boolean halves(MemorySegment data, long slot, int count, long target) {
    for (int i = 0; i < count; i++) {
      short half = LittleEndian.getInt16(data, slot + i << 1);
      NativeMemory.setFloat32(target + ((long) i << 2), Float.float16ToFloat(half));
    }
    return true;
  }

  /// Converts dates in milliseconds, which must be whole days.
  static boolean dates(MemorySegment data, long slot, int count, long target) {
    long lost = 0;
    for (int i = 0; i < count; i++) {
      long value = LittleEndian.getInt64(data, slot + i << 3);
      int days = (int) (value / DAY_MILLISECONDS);
      lost |= value - days * DAY_MILLISECONDS;
      NativeMemory.setInt32(target + ((long) i << 2), days);
    }
    return lost == 0;
  }

  /// Converts UUIDs: sixteen bytes in order, which DuckDB has as an integer of 128 bits whose
  /// highest bit is flipped, so that integers compare like the bytes.
  static boolean uuids(MemorySegment data, long slot, int count, long target) {
    for (int i = 0; i < count; i++) {
      long source = slot + i << 4;
      long high = Long.reverseBytes(LittleEndian.getInt64(data, source));
      long low = Long.reverseBytes(LittleEndian.getInt64(data, source + Long.BYTES));
      NativeMemory.setInt64(target + ((long) i << 4), low);
      NativeMemory.setInt64(target + ((long) i << 4) + Long.BYTES, high ^ Long.MIN_VALUE);
    }
    return true;
  }

  /// Returns the conversion of 32-bit times to 64-bit ones in microseconds, if that is finer.
  static Conversion times(TimeUnit unit) {
    long factor = microseconds(unit);
    return (data, slot, count, target) -> {
      for (int i = 0; i < count; i++) {
        long value = LittleEndian.getInt32(data, slot + i << 2);
        NativeMemory.setInt64(target + ((long) i << 3), value * factor);
      }
      return true;
    };
  }

  /// Returns the conversion of timestamps to microseconds.
  static Conversion timestamps(TimeUnit unit) {
    long factor = microseconds(unit);
    return (data, slot, count, target) -> {
      long overflow = 0;
      for (int i = 0; i < count; i++) {
        long value = LittleEndian.getInt64(data, slot + i << 3);
        long scaled = value * factor;
        overflow |= excess(value, factor, scaled);
        NativeMemory.setInt64(target + ((long) i << 3), scaled);
      }
      return overflow == 0;
    };
  }

  /// Converts timestamps in nanoseconds, which must be whole microseconds.
  static boolean microseconds(MemorySegment data, long slot, int count, long target) {
    long lost = 0;
    for (int i = 0; i < count; i++) {
      long value = LittleEndian.getInt64(data, slot + i << 3);
      long microseconds = value / NANOSECONDS;
      lost |= value - microseconds * NANOSECONDS;
      NativeMemory.setInt64(target + ((long) i << 3), microseconds);
    }
    return lost == 0;
  }

  /// Returns the conversion of durations in a unit that is not finer than microseconds.
  static Conversion durations(TimeUnit unit) {
    long factor = microseconds(unit);
    return (data, slot, count, target) -> {
      long overflow = 0;
      for (int i = 0; i < count; i++) {
        long value = LittleEndian.getInt64(data, slot + i << 3);
        long scaled = value * factor;
        overflow |= excess(value, factor, scaled);
        setInterval(target, i, 0, 0, scaled);
      }
      return overflow == 0;
    };
  }

  /// Converts durations in nanoseconds, which must be whole microseconds.
  static boolean nanoseconds(MemorySegment data, long slot, int count, long target) {
    long lost = 0;
    for (int i = 0; i < count; i++) {
      long value = LittleEndian.getInt64(data, slot + i << 3);
      long microseconds = value / NANOSECONDS;
      lost |= value - microseconds * NANOSECONDS;
      setInterval(target, i, 0, 0, microseconds);
    }
    return lost == 0;
  }

  /// Returns a number that is not zero if the product of two others has more than 64 bits.
  private static long excess(long value, long factor, long product) {
    // The high half of the product only repeats the sign of the low one if nothing is lost.
    return Math.multiplyHigh(value, factor) ^ product >> 63;
  }

  /// Converts intervals of months.
  static boolean months(MemorySegment data, long slot, int count, long target) {
    for (int i = 0; i < count; i++) {
      setInterval(target, i, LittleEndian.getInt32(data, slot + i << 2), 0, 0);
    }
    return true;
  }

  /// Converts intervals of days and milliseconds.
  static boolean days(MemorySegment data, long slot, int count, long target) {
    for (int i = 0; i < count; i++) {
      long source = slot + i << 3;
      long microseconds = LittleEndian.getInt32(data, source + 4) * 1000L;
      setInterval(target, i, 0, LittleEndian.getInt32(data, source), microseconds);
    }
    return true;
  }

  /// Converts intervals of months, days and nanoseconds, which must be whole microseconds.
  static boolean intervals(MemorySegment data, long slot, int count, long target) {
    long lost = 0;
    for (int i = 0; i < count; i++) {
      long source = slot + i << 4;
      long nanoseconds = LittleEndian.getInt64(data, source + 8);
      long microseconds = nanoseconds / NANOSECONDS;
      lost |= nanoseconds - microseconds * NANOSECONDS;
      int months = LittleEndian.getInt32(data, source);
      setInterval(target, i, months, LittleEndian.getInt32(data, source + 4), microseconds);
    }
    return lost == 0;
  }

  private static void setInterval(long target, int index, int months, int days, long microseconds) {
    long address = target + (long) index * WIDE_BYTE_SIZE;
    NativeMemory.setInt32(address, months);
    NativeMemory.setInt32(address + 4, days);
    NativeMemory.setInt64(address + 8, microseconds);
  }

  /// Returns the unit in microseconds, or 1 if it is not coarser.
  static long microseconds(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1_000_000;
      case MILLISECOND -> 1000;
      case MICROSECOND, NANOSECOND -> 1;
    };
  }
}
