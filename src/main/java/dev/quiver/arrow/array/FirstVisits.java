package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.RadixSort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// Ranges of a child's slots that may overlap and be in any order. Each slot is visited with the
/// first range that has it.
///
/// Ranges in ascending order take no memory. Others divide the slots into segments between their
/// starts and ends, which are as many as the ranges allow and not as many as the slots. Each
/// segment refers to the first one after it that was not visited, by a chain that visits shorten.
final class FirstVisits {

  private static final Integers NONE = new Integers(MemorySegment.NULL, Integer.BYTES);

  private final int byteWidth;
  private boolean ascending = true;
  private long position;
  private long lastStart = -1;
  private long lastEnd = -1;

  /// The starts and ends of all ranges, in ascending order. A segment ends where the next starts.
  private Integers boundaries = NONE;

  private long boundaryCount;

  /// For each segment: itself if it was not visited, else a later one.
  private Integers next = NONE;

  /// Ranges of the children of an array, which are passed on in the same order each time.
  interface Ranges {
    void forEach(Receiver receiver);
  }

  /// The receiver of a range, which may be empty.
  interface Receiver {
    void accept(int child, long start, long end);
  }

  /// The visitor of consecutive slots.
  interface Visitor {
    void visit(long start, long end);
  }

  private FirstVisits(long slotCount) {
    this.byteWidth = Integers.byteWidth(slotCount);
  }

  /// Returns the visits of each child.
  ///
  /// @param scratch for the boundaries of ranges, until the last visit
  static List<FirstVisits> of(List<ArrayData> children, Ranges ranges, SegmentAllocator scratch) {
    List<FirstVisits> visits =
        children.stream().map(child -> new FirstVisits(child.length())).toList();
    ranges.forEach((child, start, end) -> visits.get(child).count(start, end));
    if (visits.stream().anyMatch(child -> !child.ascending)) {
      visits.forEach(child -> child.allocate(scratch));
      ranges.forEach((child, start, end) -> visits.get(child).add(start, end));
      visits.forEach(FirstVisits::divide);
    }
    return visits;
  }

  private void count(long start, long end) {
    if (start < end) {
      ascending &= start >= position;
      position = end;
      boundaryCount += isKnown(start) ? 0 : 1;
      boundaryCount += isKnown(end) ? 0 : 1;
      lastStart = start;
      lastEnd = end;
    }
  }

  private void allocate(SegmentAllocator scratch) {
    if (!ascending) {
      boundaries = integers(boundaryCount, scratch);
      next = integers(boundaryCount, scratch);
      boundaryCount = 0;
      lastStart = -1;
      lastEnd = -1;
    }
  }

  private Integers integers(long count, SegmentAllocator scratch) {
    return new Integers(
        scratch.allocate(Math.multiplyExact(count, (long) byteWidth), Long.BYTES), byteWidth);
  }

  private void add(long start, long end) {
    if (!ascending && start < end) {
      addBoundary(start);
      addBoundary(end);
      lastStart = start;
      lastEnd = end;
    }
  }

  private void addBoundary(long slot) {
    if (!isKnown(slot)) {
      boundaries.set(boundaryCount, slot);
      boundaryCount++;
    }
  }

  /// Returns whether the range before has the same boundary, as is frequent for lists.
  private boolean isKnown(long boundary) {
    return boundary == lastStart || boundary == lastEnd;
  }

  private void divide() {
    if (ascending) {
      return;
    }
    RadixSort.sort(boundaries.segment(), next.segment(), boundaryCount, byteWidth);
    long distinct = 0;
    for (long i = 0; i < boundaryCount; i++) {
      long boundary = boundaries.get(i);
      if (distinct == 0 || boundary != boundaries.get(distinct - 1)) {
        boundaries.set(distinct, boundary);
        next.set(distinct, distinct);
        distinct++;
      }
    }
    boundaryCount = distinct;
  }

  /// Visits the slots of one of the ranges that no earlier visit had.
  void visit(long start, long end, Visitor visitor) {
    if (ascending) {
      visitor.visit(start, end);
      return;
    }
    if (start == end) {
      return;
    }
    long last = find(end);
    long segment = firstFrom(find(start));
    while (segment < last) {
      visitor.visit(boundaries.get(segment), boundaries.get(segment + 1));
      next.set(segment, segment + 1);
      segment = firstFrom(segment + 1);
    }
  }

  /// Returns the index of a boundary.
  private long find(long boundary) {
    long low = 0;
    long high = boundaryCount - 1;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (boundaries.get(middle) < boundary) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Returns the first segment from this one on that was not visited. The last boundary starts no
  /// segment, so it never is.
  private long firstFrom(long segment) {
    long found = segment;
    long later = next.get(found);
    while (later != found) {
      next.set(found, next.get(later));
      found = next.get(found);
      later = next.get(found);
    }
    return found;
  }
}
