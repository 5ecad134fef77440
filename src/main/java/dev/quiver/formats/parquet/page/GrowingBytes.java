package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A growing array of the bytes of consecutive values.
public final class GrowingBytes {

  /// The bytes after the last value, since values are written in whole words.
  public static final int ROOM = 32;

  private static final int SHORT_MAXIMUM = 2 * Long.BYTES;
  private static final int CAPACITY_MINIMUM = 1 << 10;

  /// The largest capacity that [#clear] keeps.
  private static final int CAPACITY_KEPT = 4 << 20;

  private final int capacityMaximum;
  private final @Nullable HeapBudget budget;
  byte[] array = {};
  int byteSize;

  /// @param byteSizeMaximum the maximum size of the values
  /// @param budget the budget for the capacity, or null
  public GrowingBytes(int byteSizeMaximum, @Nullable HeapBudget budget) {
    this.capacityMaximum = Math.addExact(byteSizeMaximum, ROOM);
    this.budget = budget;
  }

  public byte[] array() {
    return array;
  }

  public int byteSize() {
    return byteSize;
  }

  /// Removes all bytes.
  public void clear() {
    byteSize = 0;
    if (array.length > CAPACITY_KEPT) {
      take(-array.length);
      array = new byte[0];
    }
  }

  /// Makes the array large enough for `count` more bytes and [#ROOM].
  ///
  /// @throws ForeignDataException if the values are too large
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the budget is exhausted
  public void reserve(long count) {
    long needed = byteSize + count + ROOM;
    if (needed > array.length) {
      if (needed > capacityMaximum) {
        throw ForeignDataException.of(
            "Expected values of at most %,d bytes together but found %,d"
                .formatted(capacityMaximum - ROOM, needed - ROOM));
      }
      long doubled = Math.max(CAPACITY_MINIMUM, 2L * array.length);
      int capacity = (int) Math.min(capacityMaximum, Math.max(needed, doubled));
      // Both arrays live until the bytes are copied.
      int former = array.length;
      take(capacity);
      array = Arrays.copyOf(array, capacity);
      take(-former);
    }
  }

  private void take(int count) {
    if (budget != null) {
      budget.take(count);
    }
  }

  /// Appends bytes.
  public void append(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, array, byteSize, count);
    byteSize += count;
  }

  /// Appends values of a dictionary.
  ///
  /// @param source the bytes of the dictionary, followed by [#ROOM] bytes
  /// @param offsets the offsets of the dictionary, one more than it has values
  /// @param indices the values to append, all in the dictionary
  /// @param lengthMaximum the length of the longest value in the dictionary
  /// @param lengths the array whose start receives the lengths of the values
  public void appendAll(
      byte[] source, int[] offsets, int[] indices, int count, int lengthMaximum, int[] lengths) {
    reserve((long) count * lengthMaximum);
    byteSize =
        lengthMaximum <= SHORT_MAXIMUM
            ? appendShort(source, offsets, indices, count, lengths)
            : appendLong(source, offsets, indices, count, lengths);
  }

  private int appendShort(byte[] source, int[] offsets, int[] indices, int count, int[] lengths) {
    byte[] target = array;
    int end = byteSize;
    for (int i = 0; i < count; i++) {
      int index = indices[i];
      int start = offsets[index];
      LittleEndian.setInt64(target, end, LittleEndian.getInt64(source, start));
      LittleEndian.setInt64(
          target, end + Long.BYTES, LittleEndian.getInt64(source, start + Long.BYTES));
      lengths[i] = offsets[index + 1] - start;
      end += lengths[i];
    }
    return end;
  }

  private int appendLong(byte[] source, int[] offsets, int[] indices, int count, int[] lengths) {
    int end = byteSize;
    for (int i = 0; i < count; i++) {
      int start = offsets[indices[i]];
      int length = offsets[indices[i] + 1] - start;
      System.arraycopy(source, start, array, end, length);
      lengths[i] = length;
      end += length;
    }
    return end;
  }
}
