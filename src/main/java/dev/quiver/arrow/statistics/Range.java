package dev.quiver.arrow.statistics;

import org.jspecify.annotations.Nullable;

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
