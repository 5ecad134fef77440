package dev.quiver.arrow.array;

import static dev.quiver.arrow.array.Array.BinaryView.INLINE_BYTE_SIZE_MAX;
import static dev.quiver.arrow.array.Array.BinaryView.VIEW_BYTE_SIZE;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.IntervalUnit;
import java.lang.foreign.MemorySegment;

/// A converter of buffers from big-endian to little-endian.
///
/// Numbers are swapped as a whole: offsets, sizes, indices, run ends, values up to 256-bit
/// decimals. Intervals are swapped number by number; inline bytes of views stay. Bits and single
/// bytes have no order. See Schema.fbs, `Endianness`.
public final class ByteOrders {

  private ByteOrders() {}

  /// Returns whether byte order matters in a buffer of this layout.
  ///
  /// @param type the type of the array's slots: the index type if dictionary-encoded
  public static boolean matters(BufferLayout buffer, ArrowType type) {
    return switch (buffer.role()) {
      case VALIDITY, TYPE_IDS -> false;
      case OFFSETS, SLOT_OFFSETS, SIZES, VIEWS -> true;
      case DATA -> dataMatters(buffer, type);
    };
  }

  /// Copies a big-endian buffer as a little-endian one. Any bytes after the last whole element
  /// should be padding and are copied unchanged.
  ///
  /// @param type the type of the array's slots: the index type if dictionary-encoded
  /// @param destination as long as `source`, and may be the same segment
  public static void swap(
      MemorySegment source, MemorySegment destination, BufferLayout buffer, ArrowType type) {
    long swapped =
        switch (buffer.role()) {
          case VALIDITY, TYPE_IDS -> 0;
          case OFFSETS, SLOT_OFFSETS, SIZES ->
              swapNumbers(source, destination, (int) (buffer.bitWidth() >>> 3));
          case VIEWS -> swapViews(source, destination);
          case DATA -> dataMatters(buffer, type) ? swapData(source, destination, buffer, type) : 0;
        };
    MemorySegment.copy(source, swapped, destination, swapped, source.byteSize() - swapped);
  }

  private static boolean dataMatters(BufferLayout buffer, ArrowType type) {
    return buffer.bitWidth() > 8 && !(type instanceof ArrowType.FixedSizeBinary);
  }

  private static long swapData(
      MemorySegment source, MemorySegment destination, BufferLayout buffer, ArrowType type) {
    if (type instanceof ArrowType.Interval(IntervalUnit unit)) {
      return switch (unit) {
        case YEAR_MONTH, DAY_TIME -> swapNumbers(source, destination, Integer.BYTES);
        case MONTH_DAY_NANO -> swapMonthDayNanos(source, destination);
      };
    }
    return swapNumbers(source, destination, (int) (buffer.bitWidth() >>> 3));
  }

  /// @return the size of the whole numbers in bytes
  private static long swapNumbers(MemorySegment source, MemorySegment destination, int byteWidth) {
    long end = source.byteSize() - source.byteSize() % byteWidth;
    switch (byteWidth) {
      case Short.BYTES -> {
        for (long i = 0; i < end; i += Short.BYTES) {
          short number = Short.reverseBytes(LittleEndian.getInt16(source, i));
          LittleEndian.setInt16(destination, i, number);
        }
      }
      case Integer.BYTES -> {
        for (long i = 0; i < end; i += Integer.BYTES) {
          swapInt32(source, destination, i);
        }
      }
      default -> {
        for (long i = 0; i < end; i += byteWidth) {
          swapWords(source, destination, i, byteWidth);
        }
      }
    }
    return end;
  }

  private static long swapMonthDayNanos(MemorySegment source, MemorySegment destination) {
    int byteWidth = IntervalUnit.MONTH_DAY_NANO.bitWidth() >>> 3;
    long end = source.byteSize() - source.byteSize() % byteWidth;
    for (long i = 0; i < end; i += byteWidth) {
      swapInt32(source, destination, i);
      swapInt32(source, destination, i + 4);
      swapWords(source, destination, i + 8, Long.BYTES);
    }
    return end;
  }

  private static long swapViews(MemorySegment source, MemorySegment destination) {
    long end = source.byteSize() - source.byteSize() % VIEW_BYTE_SIZE;
    for (long i = 0; i < end; i += VIEW_BYTE_SIZE) {
      swapInt32(source, destination, i);
      int byteSize = LittleEndian.getInt32(destination, i);
      LittleEndian.setInt32(destination, i + 4, LittleEndian.getInt32(source, i + 4));
      if (byteSize >= 0 && byteSize <= INLINE_BYTE_SIZE_MAX) {
        LittleEndian.setInt64(destination, i + 8, LittleEndian.getInt64(source, i + 8));
      } else {
        swapInt32(source, destination, i + 8);
        swapInt32(source, destination, i + 12);
      }
    }
    return end;
  }

  private static void swapInt32(MemorySegment source, MemorySegment destination, long byteOffset) {
    int number = Integer.reverseBytes(LittleEndian.getInt32(source, byteOffset));
    LittleEndian.setInt32(destination, byteOffset, number);
  }

  /// Reverses the bytes of a number of one, two or four words, the outer words first.
  private static void swapWords(
      MemorySegment source, MemorySegment destination, long byteOffset, int byteWidth) {
    long low = byteOffset;
    long high = byteOffset + byteWidth - Long.BYTES;
    for (; low <= high; low += Long.BYTES, high -= Long.BYTES) {
      long first = LittleEndian.getInt64(source, low);
      long last = LittleEndian.getInt64(source, high);
      LittleEndian.setInt64(destination, low, Long.reverseBytes(last));
      LittleEndian.setInt64(destination, high, Long.reverseBytes(first));
    }
  }
}
