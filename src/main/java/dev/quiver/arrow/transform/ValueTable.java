package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.function.LongPredicate;

/// A hash table from values to their numbers: open addressing with linear probing, at most half
/// full.
///
/// ```
/// Entry --> Number:int32 + 1, or 0 if absent, Hash:int32
/// ```
final class ValueTable {

  private static final long ENTRY_BYTE_SIZE = 8;
  private static final long FIRST_CAPACITY = 64;

  private final SegmentAllocator allocator;
  private MemorySegment entries;
  private long capacity = FIRST_CAPACITY;
  private long count;

  ValueTable(SegmentAllocator allocator) {
    this.allocator = allocator;
    this.entries = allocate(capacity);
  }

  /// Returns the number of an equal value, or -1 if absent.
  ///
  /// @param isEqual whether the value with this number is equal
  long find(long hash, LongPredicate isEqual) {
    for (long i = (int) hash & capacity - 1; ; i = i + 1 & capacity - 1) {
      int entry = LittleEndian.getInt32(entries, i * ENTRY_BYTE_SIZE);
      if (entry == 0) {
        return -1;
      }
      if (LittleEndian.getInt32(entries, i * ENTRY_BYTE_SIZE + 4) == (int) hash
          && isEqual.test(entry - 1L)) {
        return entry - 1L;
      }
    }
  }

  /// Adds a value that is absent.
  ///
  /// @param number below 2³¹-1
  void add(long hash, long number) {
    if (2 * (count + 1) > capacity) {
      grow();
    }
    put((int) hash, Math.toIntExact(number + 1));
    count++;
  }

  private void grow() {
    MemorySegment before = entries;
    long capacityBefore = capacity;
    capacity *= 2;
    entries = allocate(capacity);
    for (long i = 0; i < capacityBefore; i++) {
      int entry = LittleEndian.getInt32(before, i * ENTRY_BYTE_SIZE);
      if (entry != 0) {
        put(LittleEndian.getInt32(before, i * ENTRY_BYTE_SIZE + 4), entry);
      }
    }
  }

  private void put(int hash, int entry) {
    long i = hash & capacity - 1;
    while (LittleEndian.getInt32(entries, i * ENTRY_BYTE_SIZE) != 0) {
      i = i + 1 & capacity - 1;
    }
    LittleEndian.setInt32(entries, i * ENTRY_BYTE_SIZE, entry);
    LittleEndian.setInt32(entries, i * ENTRY_BYTE_SIZE + 4, hash);
  }

  private MemorySegment allocate(long entryCount) {
    return allocator.allocate(entryCount * ENTRY_BYTE_SIZE, ENTRY_BYTE_SIZE).fill((byte) 0);
  }
}
