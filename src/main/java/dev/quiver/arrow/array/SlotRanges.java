package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Slots to take from an array, as ranges of consecutive ones. They may be in any order, and
/// repeat.
///
/// Memory grows with the number of ranges, at most one per slot. Used by one thread.
public final class SlotRanges {

  /// The start and the length of a range.
  private static final long RANGE_BYTE_SIZE = 2 * Long.BYTES;

  private static final long FIRST_BYTE_SIZE = 64 * RANGE_BYTE_SIZE;

  private final SegmentAllocator allocator;
  private MemorySegment ranges = MemorySegment.NULL;
  private long count;
  private long length;
  private long end;

  /// The range that was added last, which may still grow.
  private long lastStart;

  private long lastLength;

  /// @param allocator for the ranges, until the slots are taken
  public SlotRanges(SegmentAllocator allocator) {
    this.allocator = allocator;
  }

  /// @param allocator for the ranges, until the slots are taken
  /// @param rangeCount the expected number of ranges
  SlotRanges(SegmentAllocator allocator, long rangeCount) {
    this.allocator = allocator;
    this.ranges = allocator.allocate(Math.multiplyExact(rangeCount, RANGE_BYTE_SIZE), Long.BYTES);
  }

  /// Adds the `slotCount` slots from `start` on. If they continue the last range, it grows.
  public void add(long start, long slotCount) {
    if (slotCount == 0) {
      return;
    }
    length = Math.addExact(length, slotCount);
    end = Math.max(end, start + slotCount);
    if (count > 0 && lastStart + lastLength == start) {
      lastLength += slotCount;
    } else {
      count++;
      reserve();
      lastStart = start;
      lastLength = slotCount;
      LittleEndian.setInt64(ranges, (count - 1) * RANGE_BYTE_SIZE, start);
    }
    LittleEndian.setInt64(ranges, (count - 1) * RANGE_BYTE_SIZE + Long.BYTES, lastLength);
  }

  /// Adds some of the slots whose bits are set, in ascending order.
  ///
  /// @param words a bit for each slot, from the lowest of the first word on
  /// @param from the number of set bits to skip
  /// @param to the number of set bits after which the rest is left out, which may be more than
  ///   there are
  public void addSetBits(long[] words, long from, long to) {
    long skipped = from;
    long remaining = to - from;
    for (int i = 0; i < words.length && remaining > 0; i++) {
      long word = words[i];
      int bitCount = Long.bitCount(word);
      if (bitCount <= skipped) {
        skipped -= bitCount;
        continue;
      }
      while (word != 0 && remaining > 0) {
        int start = Long.numberOfTrailingZeros(word);
        int runLength = Long.numberOfTrailingZeros(~(word >>> start));
        long passed = Math.min(runLength, skipped);
        skipped -= passed;
        long added = Math.min(runLength - passed, remaining);
        add((long) i * Long.SIZE + start + passed, added);
        remaining -= added;
        word = start + runLength == Long.SIZE ? 0 : word & -1L << (start + runLength);
      }
    }
  }

  /// Returns the number of all slots.
  public long length() {
    return length;
  }

  /// Returns the slot after the last one in the order of the array.
  public long end() {
    return end;
  }

  /// Returns the number of ranges.
  public long count() {
    return count;
  }

  /// Returns the first slot of a range.
  public long start(long index) {
    return LittleEndian.getInt64(ranges, index * RANGE_BYTE_SIZE);
  }

  /// Returns the number of slots of a range.
  public long length(long index) {
    return LittleEndian.getInt64(ranges, index * RANGE_BYTE_SIZE + Long.BYTES);
  }

  /// Returns the index of the range that has a slot. The ranges must be in ascending order, and one
  /// of them must have the slot.
  long find(long slot) {
    long low = 0;
    long high = count - 1;
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      if (start(middle) <= slot) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void reserve() {
    long byteSize = count * RANGE_BYTE_SIZE;
    if (byteSize > ranges.byteSize()) {
      MemorySegment larger =
          allocator.allocate(Math.max(FIRST_BYTE_SIZE, 2 * ranges.byteSize()), Long.BYTES);
      MemorySegment.copy(ranges, 0, larger, 0, ranges.byteSize());
      ranges = larger;
    }
  }
}
