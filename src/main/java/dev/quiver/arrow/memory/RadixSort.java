package dev.quiver.arrow.memory;

import java.lang.foreign.MemorySegment;

/// A sort of integers outside of the heap, byte by byte from the lowest one. Its time grows with
/// their number, in any order, and it reads and writes memory mostly in sequence: it may be a file.
public final class RadixSort {

  private static final int DIGIT_COUNT = 1 << Byte.SIZE;

  private RadixSort() {}

  /// Sorts integers in ascending order, none of which may be negative.
  ///
  /// @param spare memory for as many integers, whose content is lost
  /// @param byteWidth bytes of one integer: 4 or 8
  public static void sort(MemorySegment integers, MemorySegment spare, long count, int byteWidth) {
    long[][] digits = new long[byteWidth][DIGIT_COUNT];
    if (count(integers, count, byteWidth, digits)) {
      return;
    }
    MemorySegment source = integers;
    MemorySegment target = spare;
    for (int i = 0; i < byteWidth; i++) {
      long[] positions = digits[i];
      // Often all have the same high bytes.
      if (positions[digit(get(source, 0, byteWidth), i)] < count) {
        toStarts(positions);
        for (long k = 0; k < count; k++) {
          long integer = get(source, k, byteWidth);
          set(target, positions[digit(integer, i)]++, byteWidth, integer);
        }
        MemorySegment sorted = target;
        target = source;
        source = sorted;
      }
    }
    if (source != integers) {
      MemorySegment.copy(source, 0, integers, 0, count * byteWidth);
    }
  }

  /// Counts how many integers have each digit.
  ///
  /// @return whether they ascend
  private static boolean count(MemorySegment integers, long count, int byteWidth, long[][] digits) {
    boolean ascending = true;
    long last = 0;
    for (long k = 0; k < count; k++) {
      long integer = get(integers, k, byteWidth);
      ascending &= integer >= last;
      last = integer;
      for (int i = 0; i < byteWidth; i++) {
        digits[i][digit(integer, i)]++;
      }
    }
    return ascending;
  }

  /// Replaces the number of integers with each digit by the position of the first of them.
  private static void toStarts(long[] counts) {
    long position = 0;
    for (int digit = 0; digit < counts.length; digit++) {
      long count = counts[digit];
      counts[digit] = position;
      position += count;
    }
  }

  private static int digit(long integer, int index) {
    return (int) (integer >>> Byte.SIZE * index) & DIGIT_COUNT - 1;
  }

  private static long get(MemorySegment integers, long index, int byteWidth) {
    return byteWidth == Integer.BYTES
        ? LittleEndian.getInt32(integers, index << 2)
        : LittleEndian.getInt64(integers, index << 3);
  }

  private static void set(MemorySegment integers, long index, int byteWidth, long integer) {
    if (byteWidth == Integer.BYTES) {
      LittleEndian.setInt32(integers, index << 2, (int) integer);
    } else {
      LittleEndian.setInt64(integers, index << 3, integer);
    }
  }
}
