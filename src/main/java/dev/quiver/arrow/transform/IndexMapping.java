package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A mapping from the indices of a dictionary to the unified one. It is the identity as long as
/// both have the same values from the start.
final class IndexMapping implements DictionaryIndices.Mapping {

  private static final long FIRST_CAPACITY = 16;

  private final SegmentAllocator allocator;
  private boolean identity = true;
  private long size;
  private long maximum = -1;

  /// Reused after the mapping is cleared.
  private MemorySegment numbers = MemorySegment.NULL;

  IndexMapping(SegmentAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public boolean isIdentity() {
    return identity;
  }

  /// Returns the number of values of the dictionary.
  long size() {
    return size;
  }

  /// Returns the largest new index among the changed ones, or -1 if none changed.
  long maximum() {
    return maximum;
  }

  @Override
  public long get(long index) {
    if (index < 0 || index >= size) {
      return 0;
    }
    return identity ? index : LittleEndian.getInt32(numbers, index << 2);
  }

  /// Restarts with an empty dictionary.
  void clear() {
    identity = true;
    size = 0;
  }

  /// Adds values with the same indices in the unified dictionary.
  void addIdentical(long count) {
    size = Math.addExact(size, count);
  }

  /// Adds a value, after which the mapping is not the identity.
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
