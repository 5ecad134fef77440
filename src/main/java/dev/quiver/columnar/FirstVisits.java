package dev.quiver.columnar;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// Ranges of a child's slots that may overlap and be in any order. Each slot is visited with the
/// first range that has it.
///
/// Ranges in ascending order take no memory. Others divide the slots into segments between their
/// starts and ends, which are as many as the ranges allow and not as many as the slots. Each
/// segment refers to the first one after it that was not visited, by a chain that visits shorten.
final class FirstVisits {

  private static final FirstVisits ASCENDING = new FirstVisits(new long[0]);

  /// The starts and ends of all ranges, in ascending order. A segment ends where the next starts.
  private final long[] boundaries;

  /// For each segment: itself if it was not visited, else a later one.
  private final int[] next;

  private FirstVisits(long[] boundaries) {
    this.boundaries = boundaries;
    this.next = new int[boundaries.length];
    Arrays.setAll(next, i -> i);
  }

  /// Returns the visits of `count` ranges, some of which may be empty.
  static FirstVisits of(long count, LongUnaryOperator start, LongUnaryOperator end) {
    return isAscending(count, start, end)
        ? ASCENDING
        : new FirstVisits(boundaries(count, start, end));
  }

  private static boolean isAscending(long count, LongUnaryOperator start, LongUnaryOperator end) {
    long position = 0;
    for (long i = 0; i < count; i++) {
      long rangeStart = start.applyAsLong(i);
      long rangeEnd = end.applyAsLong(i);
      if (rangeStart < rangeEnd) {
        if (rangeStart < position) {
          return false;
        }
        position = rangeEnd;
      }
    }
    return true;
  }

  private static long[] boundaries(long count, LongUnaryOperator start, LongUnaryOperator end) {
    long[] boundaries = new long[Math.toIntExact(2 * count)];
    int size = 0;
    for (long i = 0; i < count; i++) {
      if (start.applyAsLong(i) < end.applyAsLong(i)) {
        boundaries[size++] = start.applyAsLong(i);
        boundaries[size++] = end.applyAsLong(i);
      }
    }
    Arrays.sort(boundaries, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (distinct == 0 || boundaries[i] != boundaries[distinct - 1]) {
        boundaries[distinct++] = boundaries[i];
      }
    }
    return Arrays.copyOf(boundaries, distinct);
  }

  /// Visits the slots of one of the ranges that no earlier visit had.
  void visit(long start, long end, DictionaryReferences.Walk child) {
    if (this == ASCENDING) {
      DictionaryReferences.visit(child, start, end);
      return;
    }
    if (start == end) {
      return;
    }
    int last = Arrays.binarySearch(boundaries, end);
    int segment = firstFrom(Arrays.binarySearch(boundaries, start));
    while (segment < last) {
      DictionaryReferences.visit(child, boundaries[segment], boundaries[segment + 1]);
      next[segment] = segment + 1;
      segment = firstFrom(segment + 1);
    }
  }

  /// Returns the first segment from this one on that was not visited. The last boundary starts no
  /// segment, so it never is.
  private int firstFrom(int segment) {
    int found = segment;
    while (next[found] != found) {
      next[found] = next[next[found]];
      found = next[found];
    }
    return found;
  }
}
