package dev.quiver.arrow.statistics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keys, as ascending ranges with gaps between them.
record RangeSet<K extends Comparable<K>>(List<Range<K>> ranges) {

  RangeSet {
    ranges = List.copyOf(ranges);
  }

  static <K extends Comparable<K>> RangeSet<K> all() {
    return new RangeSet<>(List.of(new Range<K>(null, null)));
  }

  static <K extends Comparable<K>> RangeSet<K> none() {
    return new RangeSet<>(List.of());
  }

  static <K extends Comparable<K>> RangeSet<K> of(Range<K> range) {
    return range.isEmpty() ? none() : new RangeSet<>(List.of(range));
  }

  /// Returns the keys of any of the ranges, which have a low key each.
  static <K extends Comparable<K>> RangeSet<K> union(List<Range<K>> ranges) {
    List<Range<K>> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparing(range -> Objects.requireNonNull(range.low())));
    List<Range<K>> joined = new ArrayList<>();
    for (Range<K> range : sorted) {
      Range<K> last = joined.isEmpty() ? null : joined.getLast();
      if (last == null
          || last.high() != null
              && last.high().compareTo(Objects.requireNonNull(range.low())) < 0) {
        joined.add(range);
      } else if (last.high() != null
          && (range.high() == null || last.high().compareTo(range.high()) < 0)) {
        joined.set(joined.size() - 1, new Range<>(last.low(), range.high()));
      }
    }
    return new RangeSet<>(joined);
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  boolean contains(K key) {
    return find(key) >= 0;
  }

  /// Returns the keys that are in neither of the ranges.
  RangeSet<K> complement() {
    List<Range<K>> gaps = new ArrayList<>();
    Range<K> rest = new Range<K>(null, null);
    for (Range<K> range : ranges) {
      if (range.low() != null) {
        gaps.add(new Range<>(rest.low(), range.low()));
      }
      if (range.high() == null) {
        return new RangeSet<>(gaps);
      }
      rest = new Range<>(range.high(), null);
    }
    gaps.add(rest);
    return new RangeSet<>(gaps);
  }

  RangeSet<K> intersection(RangeSet<K> other) {
    List<Range<K>> common = new ArrayList<>();
    for (int i = 0, j = 0; i < ranges.size() && j < other.ranges.size(); ) {
      Range<K> mine = ranges.get(i);
      Range<K> others = other.ranges.get(j);
      Range<K> both = mine.intersection(others);
      if (!both.isEmpty()) {
        common.add(both);
      }
      boolean mineEndsFirst =
          mine.high() != null
              && (others.high() == null || mine.high().compareTo(others.high()) < 0);
      if (mineEndsFirst) {
        i++;
      } else {
        j++;
      }
    }
    return new RangeSet<>(common);
  }

  /// Returns whether any key of a range is in the set.
  boolean intersects(Range<K> range) {
    return ranges.stream().anyMatch(mine -> !mine.intersection(range).isEmpty());
  }

  private int find(K key) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      Range<K> range = ranges.get(middle);
      if (range.contains(key)) {
        return middle;
      }
      if (range.low() != null && key.compareTo(range.low()) < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return -1;
  }

  /// The keys from one to another.
  ///
  /// @param low the first key, or null if unbounded
  /// @param high the key after the last one, or null if unbounded
  record Range<K extends Comparable<K>>(@Nullable K low, @Nullable K high) {

    boolean isEmpty() {
      return low != null && high != null && low.compareTo(high) >= 0;
    }

    boolean contains(K key) {
      return (low == null || low.compareTo(key) <= 0) && (high == null || key.compareTo(high) < 0);
    }

    Range<K> intersection(Range<K> other) {
      return new Range<>(
          low == null || other.low != null && other.low.compareTo(low) > 0 ? other.low : low,
          high == null || other.high != null && other.high.compareTo(high) < 0 ? other.high : high);
    }
  }
}
