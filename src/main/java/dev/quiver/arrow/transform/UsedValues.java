package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.RadixSort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// The used values of a dictionary, numbered in the order of their first use, or of the dictionary.
///
/// Memory grows with the used values and not with the dictionary, which may have many values
/// without bytes.
final class UsedValues implements DictionaryIndices.Mapping {

  private static final long FIRST_CAPACITY = 64;

  private final long length;
  private final SegmentAllocator allocator;
  private final SeededHash seededHash = new SeededHash();
  private ValueTable numbers;

  /// The index in the dictionary of each used value.
  private MemorySegment indices = MemorySegment.NULL;

  private long count;

  /// The index that was added last, which is often added again.
  private long last = -1;

  /// @param length the number of values of the dictionary
  UsedValues(long length, SegmentAllocator allocator) {
    this.length = length;
    this.allocator = allocator;
    this.numbers = new ValueTable(allocator);
  }

  boolean isEmpty() {
    return count == 0;
  }

  /// Adds the value with an index, unless it was added before.
  ///
  /// @throws MalformedInputException if the dictionary does not have it
  void add(long index) {
    if (index == last) {
      return;
    }
    if (index < 0 || index >= length) {
      throw new MalformedInputException(
          "an index of 0 to less than " + length, Long.toString(index), InputLocation.UNKNOWN);
    }
    last = index;
    long hash = hash(index);
    if (number(hash, index) < 0) {
      numbers.add(hash, count);
      reserve();
      set(count, index);
      count++;
    }
  }

  /// Numbers the values in the order of the dictionary.
  ///
  /// @param scratch for working memory, until this returns
  void sort(SegmentAllocator scratch) {
    MemorySegment spare = scratch.allocate(count << 3, Long.BYTES);
    RadixSort.sort(indices, spare, count, Long.BYTES);
    numbers = new ValueTable(allocator);
    for (long number = 0; number < count; number++) {
      numbers.add(hash(index(number)), number);
    }
  }

  /// Returns the number of values.
  long count() {
    return count;
  }

  /// Returns the indices in the order of their numbers.
  long[] indices() {
    return indices.asSlice(0, count << 3).toArray(LittleEndian.INT64);
  }

  /// Returns the indices in the order of their numbers.
  ///
  /// @param scratch for the result
  SlotRanges slots(SegmentAllocator scratch) {
    SlotRanges slots = new SlotRanges(scratch);
    for (long number = 0; number < count; number++) {
      slots.add(index(number), 1);
    }
    return slots;
  }

  @Override
  public boolean isIdentity() {
    return false;
  }

  @Override
  public long get(long index) {
    return Math.max(number(hash(index), index), 0);
  }

  private long number(long hash, long index) {
    return numbers.find(hash, number -> index(number) == index);
  }

  private long hash(long index) {
    seededHash.begin();
    seededHash.add(index);
    return seededHash.end();
  }

  private long index(long number) {
    return LittleEndian.getInt64(indices, number << 3);
  }

  private void set(long number, long index) {
    LittleEndian.setInt64(indices, number << 3, index);
  }

  private void reserve() {
    if (count << 3 == indices.byteSize()) {
      long capacity = Math.max(FIRST_CAPACITY, 2 * count);
      MemorySegment larger = allocator.allocate(capacity << 3, Long.BYTES);
      indices = larger.copyFrom(indices);
    }
  }
}
