package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.RadixSort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// The slots of a child that list views use, each once and in ascending order. If less than half of
/// the slots between the first and the last one are used, the others are left out.
///
/// Sorting needs no memory for views that are in ascending order, nor for views that overlap or
/// adjoin the view before them.
final class ListedSlots {

  private static final Integers NONE = new Integers(MemorySegment.NULL, Long.BYTES);

  private final Integers offsets;
  private final Integers sizes;
  private final long viewCount;
  private final SegmentAllocator scratch;

  /// The number of ranges in memory, or 0 if the views ascend.
  private long rangeCount;

  /// The starts of the ranges in ascending order.
  private Integers starts = NONE;

  /// The ends of the ranges in ascending order.
  private Integers ends = NONE;

  private SlotRanges slots;

  /// The number of slots before each range.
  private Integers before = NONE;

  /// The range that was found last, which is often found again.
  private long lastRange;

  /// A receiver of ranges.
  private interface Receiver {
    void accept(long start, long end);
  }

  private ListedSlots(Integers offsets, Integers sizes, long viewCount, SegmentAllocator scratch) {
    this.offsets = offsets;
    this.sizes = sizes;
    this.viewCount = viewCount;
    this.scratch = scratch;
    this.slots = new SlotRanges(scratch);
  }

  /// Returns the slots of `viewCount` list views. Empty views are ignored.
  ///
  /// @param scratch for ranges, until the slots are taken
  static ListedSlots of(
      Integers offsets, Integers sizes, long viewCount, SegmentAllocator scratch) {
    ListedSlots listed = new ListedSlots(offsets, sizes, viewCount, scratch);
    listed.sort();
    listed.unite();
    return listed;
  }

  /// Returns the slots in ascending order.
  SlotRanges slots() {
    return slots;
  }

  /// Returns how many of the slots are before one of them.
  long position(long slot) {
    if (slots.count() == 1) {
      return slot - slots.start(0);
    }
    long within = slot - slots.start(lastRange);
    if (within < 0 || within >= slots.length(lastRange)) {
      lastRange = slots.find(slot);
      within = slot - slots.start(lastRange);
    }
    return before.get(lastRange) + within;
  }

  private void sort() {
    RangeSum all = new RangeSum();
    forEachRange(all);
    if (all.ascending) {
      return;
    }
    int byteWidth = Integers.byteWidth(all.end);
    starts = integers(all.count, byteWidth);
    ends = integers(all.count, byteWidth);
    forEachRange((start, end) -> {
      starts.set(rangeCount, start);
      ends.set(rangeCount, end);
      rangeCount++;
    });
    MemorySegment spare = integers(rangeCount, byteWidth).segment();
    RadixSort.sort(starts.segment(), spare, rangeCount, byteWidth);
    RadixSort.sort(ends.segment(), spare, rangeCount, byteWidth);
  }

  private void unite() {
    RangeSum used = new RangeSum();
    forEachUnitedRange(used);
    if (used.length >= (used.end - used.start) / 2) {
      slots.add(used.start, used.end - used.start);
      return;
    }
    slots = new SlotRanges(scratch, used.count);
    before = integers(used.count, Long.BYTES);
    forEachUnitedRange((start, end) -> {
      before.set(slots.count(), slots.length());
      slots.add(start, end - start);
    });
  }

  /// Passes on the ranges of the views in their order. Consecutive views that overlap or adjoin are
  /// one range.
  private void forEachRange(Receiver receiver) {
    long start = 0;
    long end = 0;
    for (long i = 0; i < viewCount; i++) {
      long size = sizes.get(i);
      if (size > 0) {
        long viewStart = offsets.get(i);
        long viewEnd = viewStart + size;
        if (viewStart <= end && viewEnd >= start && end > 0) {
          start = Math.min(start, viewStart);
          end = Math.max(end, viewEnd);
        } else {
          if (end > 0) {
            receiver.accept(start, end);
          }
          start = viewStart;
          end = viewEnd;
        }
      }
    }
    if (end > 0) {
      receiver.accept(start, end);
    }
  }

  /// Passes on ranges in ascending order that neither overlap nor adjoin.
  private void forEachUnitedRange(Receiver receiver) {
    if (rangeCount == 0) {
      forEachRange(receiver);
      return;
    }
    long first = 0;
    for (long i = 0; i < rangeCount; i++) {
      // As many ranges have begun as have ended, so none continues into the next one.
      if (i + 1 == rangeCount || starts.get(i + 1) > ends.get(i)) {
        receiver.accept(starts.get(first), ends.get(i));
        first = i + 1;
      }
    }
  }

  private Integers integers(long count, int byteWidth) {
    return new Integers(
        scratch.allocate(Math.multiplyExact(count, (long) byteWidth), Long.BYTES), byteWidth);
  }

  /// A summary of ranges.
  private static final class RangeSum implements Receiver {

    private boolean ascending = true;
    private long count;
    private long length;
    private long start;
    private long end;

    @Override
    public void accept(long rangeStart, long rangeEnd) {
      ascending &= count == 0 || rangeStart > end;
      start = count == 0 ? rangeStart : Math.min(start, rangeStart);
      end = Math.max(end, rangeEnd);
      length += rangeEnd - rangeStart;
      count++;
    }
  }
}
