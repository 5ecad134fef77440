package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/// The observable slots of an array: those with non-null parents that refer to them.
///
/// Runs are walked upwards: `for (s = next(0); s < length(); s = next(runEnd(s)))`. Anything that
/// the parent's buffers show is not materialized, so the input cannot make a selection take much
/// memory.
///
/// A walk passes every slot of every underlying selection once, since combined selections read them
/// through [CachingSelection].
interface ObservedRange {

  /// The maximum array length for which slots referred to by list views and dense unions are
  /// gathered; their references come in any order. Gathering takes at most 9 MiB.
  long SCATTERED_SLOTS_MAXIMUM = 1 << 21;

  /// Returns the exclusive end of the selected slots.
  long length();

  /// Returns the first selected slot at or after `from`, or [#length].
  long next(long from);

  /// Returns a slot after the selected slot `start` such that all slots in between are selected.
  long runEnd(long start);

  /// Returns the first selected slot that satisfies the test, or [#length].
  default long first(LongPredicate test) {
    long end;
    for (long start = next(0); start < length(); start = next(end)) {
      end = runEnd(start);
      for (long slot = start; slot < end; slot++) {
        if (test.test(slot)) {
          return slot;
        }
      }
    }
    return length();
  }

  static ObservedRange all(long length) {
    return new All(length);
  }

  /// Returns the slots whose bit is set in the bitmap, or all slots if the bitmap is empty.
  default ObservedRange valid(MemorySegment validity) {
    if (validity.byteSize() == 0) {
      return this;
    }
    ObservedRange ones = new Ones(length(), validity);
    return this instanceof All ? ones : new Both(length(), this, ones);
  }

  /// All slots.
  record All(long length) implements ObservedRange {
    @Override
    public long next(long from) {
      return Math.min(from, length);
    }

    @Override
    public long runEnd(long start) {
      return length;
    }
  }

  /// The slots whose bit in a bitmap is set.
  record Ones(long length, MemorySegment bitmap) implements ObservedRange {
    @Override
    public long next(long from) {
      return first(from, 0);
    }

    @Override
    public long runEnd(long start) {
      return first(start, -1);
    }

    /// Returns the first set bit, after all bits were flipped by `flip`.
    private long first(long from, long flip) {
      long bit = from;
      long wordsEnd = bitmap.byteSize() >>> 3 << 6;
      while (bit < length) {
        long rest;
        if ((bit & -Long.SIZE) < wordsEnd) {
          long word = LittleEndian.getInt64(bitmap, bit >>> 6 << 3);
          rest = (word ^ flip) >>> (bit & 63);
          if (rest == 0) {
            bit = (bit & -Long.SIZE) + Long.SIZE;
          }
        } else {
          int single = LittleEndian.getInt8(bitmap, bit >>> 3) & 0xFF;
          rest = ((single ^ flip) & 0xFF) >>> (bit & 7);
          if (rest == 0) {
            bit = (bit & -Byte.SIZE) + Byte.SIZE;
          }
        }
        if (rest != 0) {
          return Math.min(length, bit + Long.numberOfTrailingZeros(rest));
        }
      }
      return length;
    }
  }

  /// The slots of a sparse union with this type id.
  record OfTypeId(long length, MemorySegment typeIds, byte typeId) implements ObservedRange {
    @Override
    public long next(long from) {
      long slot = from;
      while (slot < length && LittleEndian.getInt8(typeIds, slot) != typeId) {
        slot++;
      }
      return Math.min(slot, length);
    }

    @Override
    public long runEnd(long start) {
      long slot = start;
      while (slot < length && LittleEndian.getInt8(typeIds, slot) == typeId) {
        slot++;
      }
      return slot;
    }
  }

  /// The slots in both selections.
  record Both(long length, ObservedRange first, ObservedRange second) implements ObservedRange {
    public Both {
      first = CachingSelection.of(first);
      second = CachingSelection.of(second);
    }

    @Override
    public long next(long from) {
      long slot = from;
      while (slot < length) {
        long inFirst = first.next(slot);
        slot = second.next(inFirst);
        if (slot == inFirst) {
          return Math.min(slot, length);
        }
      }
      return length;
    }

    @Override
    public long runEnd(long start) {
      return Math.min(length, Math.min(first.runEnd(start), second.runEnd(start)));
    }
  }

  /// The child slots of selected lists of one size.
  record OfFixedSizeLists(ObservedRange lists, long listSize) implements ObservedRange {
    public OfFixedSizeLists {
      lists = CachingSelection.of(lists);
    }

    @Override
    public long length() {
      return lists.length() * listSize;
    }

    @Override
    public long next(long from) {
      if (from >= length()) {
        return length();
      }
      return Math.max(from, lists.next(from / listSize) * listSize);
    }

    @Override
    public long runEnd(long start) {
      return lists.runEnd(start / listSize) * listSize;
    }
  }

  /// The child slots of selected lists that offsets delimit.
  final class OfLists implements ObservedRange {
    private final ObservedRange lists;
    private final Integers offsets;
    private final long listCount;

    /// The list of the previously requested slot, often also the list of the next one.
    private long latest;

    OfLists(ObservedRange lists, Integers offsets, long listCount) {
      this.lists = CachingSelection.of(lists);
      this.offsets = offsets;
      this.listCount = listCount;
    }

    @Override
    public long length() {
      return listCount == 0 ? 0 : offsets.get(listCount);
    }

    @Override
    public long next(long from) {
      if (from >= length()) {
        return length();
      }
      long list = lists.next(listOf(from));
      while (list < lists.length() && offsets.get(list + 1) == offsets.get(list)) {
        list = lists.next(list + 1);
      }
      if (list >= lists.length()) {
        return length();
      }
      latest = list;
      return Math.max(from, offsets.get(list));
    }

    @Override
    public long runEnd(long start) {
      return offsets.get(lists.runEnd(listOf(start)));
    }

    /// Returns the list with this child slot, or the first list if the slot precedes all lists.
    private long listOf(long slot) {
      if (offsets.get(latest) <= slot && slot < offsets.get(latest + 1)) {
        return latest;
      }
      long low = offsets.get(latest) <= slot ? latest : 0;
      long high = listCount - 1;
      while (low < high) {
        long middle = low + high >>> 1;
        if (offsets.get(middle + 1) > slot) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }
  }

  /// The runs that contain selected slots of a run-end-encoded array.
  record OfRuns(ObservedRange slots, Integers ends, long length) implements ObservedRange {
    public OfRuns {
      slots = CachingSelection.of(slots);
    }

    @Override
    public long next(long from) {
      if (from >= length) {
        return length;
      }
      long slot = slots.next(start(from));
      return slot < slots.length() ? runOf(slot) : length;
    }

    @Override
    public long runEnd(long start) {
      long slot = slots.next(start(start));
      return runOf(slots.runEnd(slot) - 1) + 1;
    }

    private long start(long run) {
      return run == 0 ? 0 : ends.get(run - 1);
    }

    private long runOf(long slot) {
      long low = 0;
      long high = length - 1;
      while (low < high) {
        long middle = low + high >>> 1;
        if (ends.get(middle) > slot) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }
  }
}
