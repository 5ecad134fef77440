package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.ColumnProfile.TextLength;
import dev.quiver.arrow.type.ArrowType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The number of occurrences of each value of a column, up to a number of distinct values. Beyond
/// it, only their number is estimated.
///
/// Which of both it is follows from the set of values, not from their order or from how they are
/// divided among several of these.
final class ValueCounts implements ValueSink {

  /// The maximum number of distinct values that are counted one by one.
  static final int DISTINCT_MAXIMUM = 1 << 16;

  /// The maximum size of values that are bytes.
  static final int BYTE_SIZE_MAXIMUM = 4 << 20;

  /// A multiple of eight.
  private static final int PART_BYTE_SIZE = 32 << 10;

  /// The keys of the least and the greatest finite number.
  private final long leastKey;

  private final long greatestKey;
  private final KeyTable keys = new KeyTable(Hashes.SECRET);
  private final BytesTable bytes = new BytesTable(Hashes.SECRET);
  private final PrefixExtremes extremes = new PrefixExtremes();

  /// Null unless the type is one of numbers.
  private final @Nullable ExactSum sum;

  /// Null unless the type is one of texts.
  private final @Nullable TextLengths textLengths;

  /// Null as long as the tables have all values.
  private @Nullable DistinctEstimator estimator;

  private long nullCount;
  private long valueCount;

  /// The extremes of the finite keys of an estimate.
  private long minimum = Long.MAX_VALUE;

  private long maximum = Long.MIN_VALUE;
  private long negativeInfinities;
  private long positiveInfinities;
  private long nans;

  ValueCounts(ArrowType type, ValueKind kind) {
    boolean isNumber = kind == ValueKind.FLOATING_POINT;
    boolean hasSum = kind.hasBins() && !(type instanceof ArrowType.Temporal);
    this.sum = hasSum ? new ExactSum(type) : null;
    this.textLengths = type instanceof ArrowType.Text ? new TextLengths() : null;
    this.leastKey = isNumber ? NumberKeys.key(-Double.MAX_VALUE) : Long.MIN_VALUE;
    this.greatestKey = isNumber ? NumberKeys.key(Double.MAX_VALUE) : Long.MAX_VALUE;
  }

  @Override
  public void addNulls(long count) {
    nullCount += count;
  }

  @Override
  public void addKeys(long[] added, int n, long @Nullable [] words) {
    int i = 0;
    while (estimator == null && i < n) {
      if (isSet(words, i)) {
        addKey(added[i], 1);
      }
      i++;
    }
    DistinctEstimator estimated = estimator;
    if (estimated != null) {
      for (; i < n; i++) {
        if (isSet(words, i)) {
          valueCount++;
          observe(added[i], 1);
          estimated.add(Hashes.STABLE.of(added[i]));
        }
      }
    }
  }

  private static boolean isSet(long @Nullable [] words, int i) {
    return words == null || (words[i >>> 6] >>> (i & 63) & 1) != 0;
  }

  @Override
  public void addKey(long key, long count) {
    valueCount += count;
    DistinctEstimator estimated = estimator;
    if (estimated != null) {
      observe(key, count);
      estimated.add(Hashes.STABLE.of(key));
    } else if (keys.add(key, count)) {
      estimateIfMany();
    }
  }

  @Override
  public void addBytes(byte[] source, int start, int length, long count) {
    valueCount += count;
    if (estimator == null) {
      if (bytes.add(source, start, length, count, BYTE_SIZE_MAXIMUM)) {
        estimateIfMany();
        return;
      }
      estimate();
    }
    observe(source, start, length, count);
    estimator().add(Hashes.STABLE.of(source, start, length));
  }

  @Override
  public void addSegment(MemorySegment segment, long count) {
    long byteSize = segment.byteSize();
    if (estimator == null && byteSize <= BYTE_SIZE_MAXIMUM) {
      byte[] value = new byte[(int) byteSize + PADDING_BYTE_SIZE];
      MemorySegment.copy(segment, LittleEndian.INT8, 0, value, 0, (int) byteSize);
      addBytes(value, 0, (int) byteSize, count);
      return;
    }
    valueCount += count;
    estimate();
    byte[] part = new byte[PART_BYTE_SIZE + PADDING_BYTE_SIZE];
    long state = Hashes.STABLE.add(Hashes.STABLE.seed(), byteSize);
    long characters = 0;
    for (long from = 0; from < byteSize; from += PART_BYTE_SIZE) {
      int n = (int) Math.min(PART_BYTE_SIZE, byteSize - from);
      MemorySegment.copy(segment, LittleEndian.INT8, from, part, 0, n);
      if (from == 0) {
        extremes.add(part, 0, n);
      }
      state = Hashes.STABLE.add(state, part, 0, n);
      characters += textLengths == null ? 0 : TextLengths.characters(part, 0, n);
    }
    if (textLengths != null) {
      textLengths.add(characters, count);
    }
    estimator().add(Hashes.end(state));
  }

  private void estimateIfMany() {
    if (keys.size() + bytes.size() > DISTINCT_MAXIMUM) {
      estimate();
    }
  }

  /// Goes on with an estimate of the number of distinct values.
  private void estimate() {
    if (estimator != null) {
      return;
    }
    DistinctEstimator estimated = new DistinctEstimator();
    estimator = estimated;
    keys.forEach((key, count) -> {
      observe(key, count);
      estimated.add(Hashes.STABLE.of(key));
    });
    bytes.forEach((source, start, length, count) -> {
      observe(source, start, length, count);
      estimated.add(Hashes.STABLE.of(source, start, length));
    });
    keys.clear();
    bytes.clear();
  }

  private DistinctEstimator estimator() {
    if (estimator == null) {
      throw new IllegalStateException("The values are counted one by one");
    }
    return estimator;
  }

  private void observe(long key, long count) {
    if (key < leastKey) {
      negativeInfinities += count;
    } else if (key <= greatestKey) {
      minimum = Math.min(minimum, key);
      maximum = Math.max(maximum, key);
      if (sum != null) {
        sum.addKey(key, count);
      }
    } else if (key == NumberKeys.NAN) {
      nans += count;
    } else {
      positiveInfinities += count;
    }
  }

  private void observe(byte[] source, int start, int length, long count) {
    extremes.add(source, start, length);
    if (textLengths != null) {
      textLengths.add(TextLengths.characters(source, start, length), count);
    } else if (sum != null) {
      sum.addInteger(NumberKeys.wide(source, start, length), count);
    }
  }

  /// Adds the values of another one for the same column.
  void merge(ValueCounts other) {
    nullCount += other.nullCount;
    DistinctEstimator others = other.estimator;
    if (others == null) {
      other.forEachKey(this::addKey);
      other.forEachBytes(this::addBytes);
      return;
    }
    estimate();
    estimator().merge(others);
    valueCount += other.valueCount;
    minimum = Math.min(minimum, other.minimum);
    maximum = Math.max(maximum, other.maximum);
    negativeInfinities += other.negativeInfinities;
    positiveInfinities += other.positiveInfinities;
    nans += other.nans;
    extremes.merge(other.extremes);
    if (sum != null) {
      sum.merge(Objects.requireNonNull(other.sum));
    }
    if (textLengths != null) {
      textLengths.merge(Objects.requireNonNull(other.textLengths));
    }
  }

  /// Determines the extremes once all values are added.
  void finish() {
    if (estimator == null) {
      keys.forEach(this::observe);
      bytes.forEach(this::observe);
    }
  }

  /// Returns whether no value was added, not even a null.
  boolean isEmpty() {
    return nullCount == 0 && valueCount == 0;
  }

  /// Returns whether each distinct value is counted.
  boolean isExact() {
    return estimator == null;
  }

  void forEachKey(KeyTable.Visitor visitor) {
    keys.forEach(visitor);
  }

  void forEachBytes(BytesTable.Visitor visitor) {
    bytes.forEach(visitor);
  }

  long nullCount() {
    return nullCount;
  }

  long nanCount() {
    return nans;
  }

  long infiniteCount() {
    return negativeInfinities + positiveInfinities;
  }

  long distinctCount() {
    return estimator == null
        ? keys.size() + bytes.size()
        : Math.min(valueCount, estimator.estimate());
  }

  /// Returns the number of values that are neither NaN nor infinite.
  long finiteCount() {
    return valueCount - nans - infiniteCount();
  }

  /// Returns the sum of the finite values, or null if they are not numbers.
  @Nullable ExactSum sum() {
    return sum;
  }

  /// Returns the lengths of the texts, or null without any.
  @Nullable TextLength textLength() {
    return textLengths == null ? null : textLengths.result();
  }

  /// Returns whether any finite value is a key.
  boolean hasFiniteKeys() {
    return minimum <= maximum;
  }

  /// Returns the least finite key.
  long leastFiniteKey() {
    return minimum;
  }

  /// Returns the greatest finite key.
  long greatestFiniteKey() {
    return maximum;
  }

  /// Returns the least key but NaN, or null without any.
  @Nullable Long leastKey() {
    return negativeInfinities > 0
        ? Long.valueOf(NumberKeys.key(Double.NEGATIVE_INFINITY))
        : hasFiniteKeys()
            ? Long.valueOf(minimum)
            : positiveInfinities > 0
                ? Long.valueOf(NumberKeys.key(Double.POSITIVE_INFINITY))
                : null;
  }

  /// Returns the greatest key but NaN, or null without any.
  @Nullable Long greatestKey() {
    return positiveInfinities > 0
        ? Long.valueOf(NumberKeys.key(Double.POSITIVE_INFINITY))
        : hasFiniteKeys()
            ? Long.valueOf(maximum)
            : negativeInfinities > 0
                ? Long.valueOf(NumberKeys.key(Double.NEGATIVE_INFINITY))
                : null;
  }

  /// Returns the first bytes of the least value that is bytes, or null without any.
  @Nullable ByteString leastBytes() {
    return extremes.minimum();
  }

  /// Returns the first bytes of the greatest value that is bytes, or null without any.
  @Nullable ByteString greatestBytes() {
    return extremes.maximum();
  }

  /// Returns the approximate heap that this takes.
  long heapByteSize() {
    return keys.heapByteSize() + bytes.heapByteSize();
  }
}
