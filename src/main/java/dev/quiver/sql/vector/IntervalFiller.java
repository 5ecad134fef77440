package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Durations and intervals, as months, days and microseconds: 32, 32 and 64 bits.
final class IntervalFiller extends VectorFiller {

  private static final int INTERVAL_BYTE_SIZE = 16;
  private static final int NANOSECONDS = 1000;

  private final MemorySegment data;
  private final ArrowType type;

  IntervalFiller(ArrayData array, Vectors vectors) {
    super(array, vectors);
    this.data = array.buffer(DATA);
    this.type = array.field().type();
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row * INTERVAL_BYTE_SIZE;
    switch (type) {
      case ArrowType.Duration(TimeUnit unit) -> fillDurations(slot, count, target, unit);
      case ArrowType.Interval(IntervalUnit unit) -> fillIntervals(slot, count, target, unit);
      default -> throw new IllegalStateException(type.toString());
    }
  }

  private void fillDurations(long slot, int count, long target, TimeUnit unit) {
    long factor = factor(unit);
    long lost = 0;
    for (int i = 0; i < count; i++) {
      long value = LittleEndian.getInt64(data, slot + i << 3);
      long microseconds = value;
      if (unit == TimeUnit.NANOSECOND) {
        microseconds = value / NANOSECONDS;
        lost |= value - microseconds * NANOSECONDS;
      } else {
        microseconds = value * factor;
        lost |= Math.multiplyHigh(value, factor) ^ microseconds >> 63;
      }
      set(target, i, 0, 0, microseconds);
    }
    if (lost != 0) {
      requireAll(
          slot,
          count,
          "a duration of whole microseconds in 64 bits",
          index -> {
            long value = LittleEndian.getInt64(data, index << 3);
            return unit == TimeUnit.NANOSECOND
                ? value % NANOSECONDS == 0
                : Math.multiplyHigh(value, factor) == value * factor >> 63;
          });
    }
  }

  private void fillIntervals(long slot, int count, long target, IntervalUnit unit) {
    long lost = 0;
    for (int i = 0; i < count; i++) {
      long index = slot + i;
      switch (unit) {
        case YEAR_MONTH -> set(target, i, LittleEndian.getInt32(data, index << 2), 0, 0);
        case DAY_TIME -> {
          long microseconds = LittleEndian.getInt32(data, (index << 3) + 4) * 1000L;
          set(target, i, 0, LittleEndian.getInt32(data, index << 3), microseconds);
        }
        case MONTH_DAY_NANO -> {
          int months = LittleEndian.getInt32(data, index << 4);
          int days = LittleEndian.getInt32(data, (index << 4) + 4);
          long nanoseconds = LittleEndian.getInt64(data, (index << 4) + 8);
          long microseconds = nanoseconds / NANOSECONDS;
          lost |= nanoseconds - microseconds * NANOSECONDS;
          set(target, i, months, days, microseconds);
        }
      }
    }
    if (lost != 0) {
      requireAll(
          slot,
          count,
          "an interval of whole microseconds",
          index -> LittleEndian.getInt64(data, (index << 4) + 8) % NANOSECONDS == 0);
    }
  }

  private static void set(long target, int index, int months, int days, long microseconds) {
    long address = target + (long) index * INTERVAL_BYTE_SIZE;
    NativeMemory.setInt32(address, months);
    NativeMemory.setInt32(address + 4, days);
    NativeMemory.setInt64(address + 8, microseconds);
  }

  /// Returns the unit in microseconds, unless it is finer.
  private static long factor(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1_000_000;
      case MILLISECOND -> 1000;
      case MICROSECOND, NANOSECOND -> 1;
    };
  }
}
