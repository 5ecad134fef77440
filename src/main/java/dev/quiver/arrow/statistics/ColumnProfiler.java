package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnProfile.FrequentValue;
import dev.quiver.arrow.statistics.ColumnProfile.Histogram;
import dev.quiver.arrow.type.ArrowType;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Calculates the statistics of a column from parts of it, in any order, in one thread or in
/// several with a profiler each, which are merged.
///
/// First all values are counted. If too many of them are distinct for their counts to be kept, a
/// second pass divides them among the bins of a histogram.
final class ColumnProfiler {

  private final ProfiledColumn column;
  private final ValueKind kind;
  private final ValueCounts counts;
  private @Nullable Bins bins;
  private boolean isSecond;

  ColumnProfiler(ProfiledColumn column) {
    this.column = column;
    this.kind = column.kind();
    this.counts = new ValueCounts(kind);
  }

  /// Returns the approximate heap that this takes.
  long heapByteSize() {
    return counts.heapByteSize();
  }

  ProfiledColumn column() {
    return column;
  }

  /// Counts the values of some rows, or divides them among the bins in the second pass.
  ///
  /// @param array those rows of the column at the start of the path, whose values are valid
  void add(ArrayData array, ValueReader reader) {
    ValueSink sink = isSecond ? bins() : counts;
    List<MemorySegment> bitmaps = new ArrayList<>();
    ArrayData field = column.in(array, bitmaps);
    reader.read(field, array.length(), SlotMask.of(bitmaps), sink);
  }

  /// Adds the values that another profiler of the column counted.
  void merge(ColumnProfiler other) {
    counts.merge(other.counts);
  }

  /// Ends the first pass.
  ///
  /// @return whether a second one is needed
  boolean endCounting() {
    counts.finish();
    Bins empty = kind.hasBins() ? Bins.of(column.valueType(), counts) : null;
    bins = empty;
    if (empty != null && counts.isExact()) {
      counts.forEachKey(empty::addKey);
      counts.forEachBytes(empty::addBytes);
    }
    return needsBins();
  }

  /// Returns whether the second pass is needed.
  boolean needsBins() {
    return bins != null && !counts.isExact();
  }

  /// Returns a profiler for the second pass.
  ColumnProfiler forBins() {
    ColumnProfiler second = new ColumnProfiler(column);
    second.bins = bins().empty();
    second.isSecond = true;
    return second;
  }

  /// Adds the values that another profiler divided among the same bins.
  void mergeBins(ColumnProfiler other) {
    bins().merge(other.bins());
  }

  private Bins bins() {
    Bins present = bins;
    if (present == null) {
      throw new IllegalStateException("The column has no bins");
    }
    return present;
  }

  /// Returns the statistics after the last pass.
  ColumnProfile profile() {
    boolean isCompared = kind != ValueKind.NONE;
    Bins present = bins;
    return new ColumnProfile(
        counts.nullCount(),
        counts.nanCount(),
        counts.infiniteCount(),
        kind.isOrdered() ? minimum() : null,
        kind.isOrdered() ? maximum() : null,
        isCompared ? counts.distinctCount() : null,
        present != null
            ? present.histogram()
            : kind.hasBins() ? new Histogram(List.of(), List.of()) : null,
        isCompared && counts.isExact() ? frequent() : null);
  }

  private @Nullable ByteString minimum() {
    if (kind == ValueKind.WIDE && counts.leastBytes() != null) {
      return NumberKeys.wideValue(column.valueType(), Bins.least(counts));
    }
    Long key = counts.leastKey();
    return key == null ? counts.leastBytes() : NumberKeys.value(column.valueType(), key);
  }

  private @Nullable ByteString maximum() {
    if (kind == ValueKind.WIDE && counts.greatestBytes() != null) {
      return NumberKeys.wideValue(column.valueType(), Bins.greatest(counts));
    }
    Long key = counts.greatestKey();
    return key == null ? counts.greatestBytes() : NumberKeys.value(column.valueType(), key);
  }

  /// A value and its count, with what orders it among values of the same count.
  ///
  /// @param key its key, if it is one
  /// @param bytes its bytes, or null
  private record Counted(long key, byte @Nullable [] bytes, long count) {}

  private List<FrequentValue> frequent() {
    Comparator<Counted> order =
        Comparator.comparingLong(Counted::count).reversed().thenComparing(this::compareValues);
    PriorityQueue<Counted> most = new PriorityQueue<>(order.reversed());
    counts.forEachKey((key, count) -> offer(new Counted(key, null, count), most));
    counts.forEachBytes((bytes, start, length, count) -> {
      if (most.size() < ColumnProfile.FREQUENT_MAXIMUM || count >= most.element().count) {
        offer(new Counted(0, Arrays.copyOfRange(bytes, start, start + length), count), most);
      }
    });
    return most.stream()
        .sorted(order)
        .map(counted -> new FrequentValue(value(counted), counted.count))
        .toList();
  }

  private static void offer(Counted counted, PriorityQueue<Counted> most) {
    most.add(counted);
    if (most.size() > ColumnProfile.FREQUENT_MAXIMUM) {
      most.remove();
    }
  }

  private int compareValues(Counted a, Counted b) {
    byte[] first = a.bytes;
    byte[] second = b.bytes;
    if (first == null && second == null) {
      return Long.compare(a.key, b.key);
    }
    return kind == ValueKind.WIDE
        ? integer(a).compareTo(integer(b))
        : Arrays.compareUnsigned(first, second);
  }

  private static BigInteger integer(Counted counted) {
    byte[] bytes = counted.bytes;
    return bytes == null
        ? BigInteger.valueOf(counted.key)
        : NumberKeys.wide(bytes, 0, bytes.length);
  }

  private ByteString value(Counted counted) {
    ArrowType type = column.valueType();
    byte[] bytes = counted.bytes;
    if (bytes == null) {
      return NumberKeys.value(type, counted.key);
    }
    if (kind == ValueKind.WIDE) {
      return NumberKeys.wideValue(bytes);
    }
    int kept = Math.min(bytes.length, ColumnProfile.KEPT_BYTE_SIZE);
    return ByteString.of(Arrays.copyOf(bytes, kept));
  }
}
