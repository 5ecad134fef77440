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
/// First all values are counted. If too many of them are distinct for their counts to be kept, the
/// distribution of numbers takes further passes.
final class ColumnProfiler {

  private final ProfiledColumn column;
  private final ValueKind kind;
  private ValueCounts counts;

  /// Null in the first pass, and if the values have none.
  private @Nullable Distribution distribution;

  private boolean isCounting = true;

  ColumnProfiler(ProfiledColumn column) {
    this.column = column;
    this.kind = column.kind();
    this.counts = new ValueCounts(column.valueType(), kind);
  }

  /// Returns the approximate heap that this takes.
  long heapByteSize() {
    return counts.heapByteSize() + (distribution == null ? 0 : distribution.heapByteSize());
  }

  ProfiledColumn column() {
    return column;
  }

  /// Counts the values of some rows, or adds them to the distribution in later passes.
  ///
  /// @param array those rows of the column at the start of the path, whose values are valid
  void add(ArrayData array, ValueReader reader) {
    ValueSink sink = isCounting ? counts : distribution();
    List<MemorySegment> bitmaps = new ArrayList<>();
    ArrayData field = column.in(array, bitmaps);
    reader.read(field, array.length(), SlotMask.of(bitmaps), sink);
  }

  /// Adds the values that another profiler of the column has from the same pass, and is not used
  /// afterwards.
  void merge(ColumnProfiler other) {
    if (isCounting) {
      if (counts.isEmpty()) {
        counts = other.counts;
      } else {
        counts.merge(other.counts);
      }
    } else {
      distribution().merge(other.distribution());
    }
  }

  /// Ends a pass over all rows.
  void endPass() {
    if (isCounting) {
      endCounting();
    } else {
      distribution().endPass();
    }
  }

  private void endCounting() {
    isCounting = false;
    counts.finish();
    Distribution empty = kind.hasBins() ? Distribution.of(column.valueType(), counts) : null;
    distribution = empty;
    while (empty != null && counts.isExact() && empty.needsPass()) {
      counts.forEachKey(empty::addKey);
      counts.forEachBytes(empty::addBytes);
      empty.endPass();
    }
  }

  /// Returns whether a further pass over all rows is needed.
  boolean needsPass() {
    return isCounting || distribution != null && distribution.needsPass();
  }

  /// Returns a profiler for a part of the next pass.
  ColumnProfiler forPart() {
    ColumnProfiler part = new ColumnProfiler(column);
    part.isCounting = isCounting;
    part.distribution = distribution == null ? null : distribution.empty();
    return part;
  }

  private Distribution distribution() {
    Distribution present = distribution;
    if (present == null) {
      throw new IllegalStateException("The column has no distribution");
    }
    return present;
  }

  /// Returns the statistics after the last pass.
  ColumnProfile profile() {
    boolean isCompared = kind != ValueKind.NONE;
    Distribution present = distribution;
    return new ColumnProfile(
        counts.nullCount(),
        counts.nanCount(),
        counts.infiniteCount(),
        kind.isOrdered() ? minimum() : null,
        kind.isOrdered() ? maximum() : null,
        isCompared ? counts.distinctCount() : null,
        present == null ? null : present.numbers(),
        counts.textLength(),
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
