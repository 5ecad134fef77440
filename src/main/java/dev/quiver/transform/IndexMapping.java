package dev.quiver.transform;

import dev.quiver.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// What the indices into a dictionary become when it is part of a superset: themselves, as long as
/// it agrees with the superset from the start.
final class IndexMapping {

  private static final long FIRST_CAPACITY = 16;

  private final SegmentAllocator allocator;
  private boolean identity = true;
  private long size;
  private long maximum = -1;

  /// Kept when the mapping is cleared.
  private MemorySegment numbers = MemorySegment.NULL;

  IndexMapping(SegmentAllocator allocator) {
    this.allocator = allocator;
  }

  /// Whether every index stays what it is.
  boolean isIdentity() {
    return identity;
  }

  /// How many values the dictionary has.
  long size() {
    return size;
  }

  /// The largest number that an index became that did not stay what it is; -1 at first.
  long maximum() {
    return maximum;
  }

  /// What an index becomes; 0 if there is no such value, which only indices have that nobody sees.
  long get(long index) {
    if (index < 0 || index >= size) {
      return 0;
    }
    return identity ? index : LittleEndian.getInt32(numbers, index << 2);
  }

  /// Starts with a dictionary of no values.
  void clear() {
    identity = true;
    size = 0;
  }

  /// Adds values that have the same indices in the superset.
  void addIdentical(long count) {
    size = Math.addExact(size, count);
  }

  /// Adds a value, after which indices do not stay what they are.
  void add(long number) {
    if (identity) {
      long identical = size;
      identity = false;
      size = 0;
      for (long i = 0; i < identical; i++) {
        append(i);
      }
    }
    append(number);
  }

  private void append(long number) {
    if (size << 2 == numbers.byteSize()) {
      MemorySegment larger =
          allocator.allocate(Math.max(FIRST_CAPACITY, 2 * size) << 2, Integer.BYTES);
      MemorySegment.copy(numbers, 0, larger, 0, size << 2);
      numbers = larger;
    }
    LittleEndian.setInt32(numbers, size << 2, Math.toIntExact(number));
    size++;
    maximum = Math.max(maximum, number);
  }
}
