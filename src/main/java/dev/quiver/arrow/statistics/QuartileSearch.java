package dev.quiver.arrow.statistics;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A search for the quartiles of the finite values of a column, which are exact for any number of
/// values, in a memory of fixed size.
///
/// Each pass over the values divides the windows in which quartiles lie into buckets, and counts
/// the values in each. The buckets with a quartile are the windows of the next pass. Once they have
/// few values, those are collected. Two passes are usual, and five are enough for 64 bits.
final class QuartileSearch implements ValueSink {

  /// The bits of the number of buckets for passes over stored values.
  static final int BUCKET_BITS = 16;

  /// The bits of the number of buckets for passes over counts in memory.
  static final int FEW_BUCKET_BITS = 12;

  /// The buckets for each value that is collected instead.
  private static final int BUCKETS_OF_COLLECTED = 4;

  /// The approximate heap that a collected value takes.
  private static final int COLLECTED_BYTE_SIZE = 128;

  private static final int QUARTILES = 3;
  private static final int QUARTERS = 4;

  private final long valueCount;
  private final int bucketBits;

  /// The lower value of each quartile, then the upper one of each; null if not found.
  private final @Nullable BigInteger[] found;

  private List<Window> windows;

  /// The ends of the windows in ascending order, unless one is beyond keys.
  private long[] lowKeys = {};

  private long[] highKeys = {};
  private long[] buckets = {};

  /// Null unless the next pass collects.
  private @Nullable NavigableMap<BigInteger, Long> collected;

  /// A range of values with a quartile, both ends included.
  ///
  /// @param below the number of values below it
  /// @param count the number of values in it
  /// @param first the index of its first bucket
  /// @param shift each of its buckets has 2^shift values
  private record Window(
      BigInteger low,
      BigInteger high,
      long below,
      long count,
      int first,
      int shift,
      boolean hasKeys,
      long lowKey,
      long highKey) {

    static Window of(BigInteger low, BigInteger high, long below, long count) {
      boolean hasKeys = low.bitLength() < Long.SIZE && high.bitLength() < Long.SIZE;
      return new Window(low, high, below, count, 0, 0, hasKeys, low.longValue(), high.longValue());
    }

    /// Divides it into 2^bits buckets at most.
    Window divided(int firstBucket, int bits) {
      int bucketShift = Math.max(0, high.subtract(low).bitLength() - bits);
      return new Window(
          low, high, below, count, firstBucket, bucketShift, hasKeys, lowKey, highKey);
    }

    boolean contains(BigInteger value) {
      return low.compareTo(value) <= 0 && value.compareTo(high) <= 0;
    }

    int bucketCount() {
      return high.subtract(low).shiftRight(shift).intValueExact() + 1;
    }
  }

  /// Begins a search.
  ///
  /// @param least the least finite value, as [NumberKeys] has it
  /// @param greatest the greatest finite value
  /// @param valueCount the number of finite values, one at least
  QuartileSearch(BigInteger least, BigInteger greatest, long valueCount, int bucketBits) {
    this.valueCount = valueCount;
    this.bucketBits = bucketBits;
    this.found = new @Nullable BigInteger[2 * QUARTILES];
    this.windows = new ArrayList<>();
    settle(Window.of(least, greatest, 0, valueCount));
    begin();
  }

  private QuartileSearch(QuartileSearch other) {
    this.valueCount = other.valueCount;
    this.bucketBits = other.bucketBits;
    this.found = other.found.clone();
    this.windows = other.windows;
    this.lowKeys = other.lowKeys;
    this.highKeys = other.highKeys;
    this.buckets = new long[other.buckets.length];
    this.collected = other.collected == null ? null : new TreeMap<>();
  }

  /// Returns the same search for some of the values of the next pass.
  QuartileSearch empty() {
    return new QuartileSearch(this);
  }

  /// Returns whether no further pass is needed.
  boolean isFound() {
    return windows.isEmpty();
  }

  /// Returns the value from which a quartile lies [#quarters] quarters of the way to the next one.
  ///
  /// @param quartile 1, 2 or 3
  BigInteger lower(int quartile) {
    return Objects.requireNonNull(found[quartile - 1]);
  }

  /// Returns the next value.
  ///
  /// @param quartile 1, 2 or 3
  BigInteger upper(int quartile) {
    return Objects.requireNonNull(found[QUARTILES + quartile - 1]);
  }

  /// @param quartile 1, 2 or 3
  int quarters(int quartile) {
    return (int) (way(quartile) % QUARTERS);
  }

  /// Returns the way to a quartile in quarters of the distance of two values.
  private long way(int quartile) {
    return Math.multiplyExact(valueCount - 1, quartile);
  }

  /// Returns the number of values before one that is sought.
  private long rank(int index) {
    long way = way(index % QUARTILES + 1);
    boolean isUpper = index >= QUARTILES;
    return way / QUARTERS + (isUpper && way % QUARTERS > 0 ? 1 : 0);
  }

  @Override
  public void addNulls(long count) {
    // Nulls have no rank.
  }

  @Override
  public void addKeys(long[] keys, int n, long @Nullable [] words) {
    for (int i = 0; i < n; i++) {
      if (words == null || (words[i >>> 6] >>> (i & 63) & 1) != 0) {
        addKey(keys[i], 1);
      }
    }
  }

  @Override
  public void addKey(long key, long count) {
    if (highKeys.length < windows.size()) {
      for (Window window : windows) {
        add(BigInteger.valueOf(key), count, window);
      }
      return;
    }
    for (int i = 0; i < highKeys.length; i++) {
      if (key <= highKeys[i]) {
        if (key >= lowKeys[i]) {
          addKey(key, count, windows.get(i));
        }
        return;
      }
    }
  }

  private void addKey(long key, long count, Window window) {
    if (collected == null) {
      buckets[window.first + (int) (key - window.lowKey >>> window.shift)] += count;
    } else {
      collected.merge(BigInteger.valueOf(key), count, Long::sum);
    }
  }

  @Override
  public void addBytes(byte[] bytes, int start, int length, long count) {
    BigInteger value = NumberKeys.wide(bytes, start, length);
    for (Window window : windows) {
      add(value, count, window);
    }
  }

  private void add(BigInteger value, long count, Window window) {
    if (window.contains(value)) {
      if (collected == null) {
        BigInteger bucket = value.subtract(window.low).shiftRight(window.shift);
        buckets[window.first + bucket.intValue()] += count;
      } else {
        collected.merge(value, count, Long::sum);
      }
    }
  }

  @Override
  public void addSegment(MemorySegment bytes, long count) {
    throw new IllegalStateException("Numbers are short");
  }

  /// Adds the values that another one of the same pass has.
  void merge(QuartileSearch other) {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] += other.buckets[i];
    }
    if (collected != null && other.collected != null) {
      NavigableMap<BigInteger, Long> all = collected;
      other.collected.forEach((value, count) -> all.merge(value, count, Long::sum));
    }
  }

  /// Ends a pass over all values.
  void endPass() {
    List<Window> before = windows;
    windows = new ArrayList<>();
    for (Window window : before) {
      if (collected == null) {
        settleBuckets(window);
      } else {
        settleCollected(window, collected);
      }
    }
    begin();
  }

  private void settleBuckets(Window window) {
    long below = window.below;
    for (int i = 0; i < window.bucketCount(); i++) {
      long count = buckets[window.first + i];
      if (hasSought(below, count)) {
        BigInteger low = window.low.add(BigInteger.valueOf(i).shiftLeft(window.shift));
        BigInteger end = low.add(BigInteger.ONE.shiftLeft(window.shift));
        settle(Window.of(low, end.subtract(BigInteger.ONE).min(window.high), below, count));
      }
      below += count;
    }
  }

  private void settleCollected(Window window, NavigableMap<BigInteger, Long> all) {
    long below = window.below;
    for (var entry : all.subMap(window.low, true, window.high, true).entrySet()) {
      settle(Window.of(entry.getKey(), entry.getKey(), below, entry.getValue()));
      below += entry.getValue();
    }
  }

  /// Returns whether any of some values is sought.
  private boolean hasSought(long below, long count) {
    for (int i = 0; i < found.length; i++) {
      long rank = rank(i) - below;
      if (rank >= 0 && rank < count) {
        return true;
      }
    }
    return false;
  }

  /// Finds a single value, or looks into a window in the next pass.
  private void settle(Window window) {
    if (!window.low.equals(window.high)) {
      windows.add(window);
      return;
    }
    for (int i = 0; i < found.length; i++) {
      long rank = rank(i) - window.below;
      if (rank >= 0 && rank < window.count) {
        found[i] = window.low;
      }
    }
  }

  /// Begins a pass over the windows.
  private void begin() {
    collected = null;
    buckets = new long[0];
    boolean haveKeys = windows.stream().allMatch(Window::hasKeys);
    lowKeys = haveKeys ? windows.stream().mapToLong(Window::lowKey).toArray() : new long[0];
    highKeys = haveKeys ? windows.stream().mapToLong(Window::highKey).toArray() : new long[0];
    if (windows.isEmpty()) {
      return;
    }
    long count = windows.stream().mapToLong(Window::count).sum();
    if (count <= (1L << bucketBits) / BUCKETS_OF_COLLECTED) {
      collected = new TreeMap<>();
      return;
    }
    int bits = bucketBits - (Integer.SIZE - Integer.numberOfLeadingZeros(windows.size() - 1));
    int first = 0;
    for (int i = 0; i < windows.size(); i++) {
      Window divided = windows.get(i).divided(first, bits);
      windows.set(i, divided);
      first += divided.bucketCount();
    }
    buckets = new long[first];
  }

  /// Returns the approximate heap that this takes.
  long heapByteSize() {
    return (long) buckets.length * Long.BYTES
        + (collected == null ? 0 : (long) collected.size() * COLLECTED_BYTE_SIZE);
  }
}
