package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Precision;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bins of equal width between the least and the greatest finite value of a column, and how many
/// values are in each. Integers have bins of whole numbers, of which none is empty by its bounds.
abstract sealed class Bins implements ValueSink {

  private final ArrowType type;
  final long[] counts;

  Bins(ArrowType type, int count) {
    this.type = type;
    this.counts = new long[count];
  }

  /// Returns empty bins for the values of a column, or null if it has no finite value.
  static @Nullable Bins of(ArrowType type, ValueCounts values) {
    if (ValueKind.of(type) == ValueKind.WIDE
        && (values.leastBytes() != null || values.greatestBytes() != null)) {
      return new OfIntegers(type, integers(least(values), greatest(values)));
    }
    if (!values.hasFiniteKeys()) {
      return null;
    }
    long least = values.leastFiniteKey();
    long greatest = values.greatestFiniteKey();
    return new OfKeys(
        type,
        type instanceof ArrowType.FloatingPoint(var precision)
            ? numbers(precision, NumberKeys.number(least), NumberKeys.number(greatest))
            : Arrays.stream(integers(BigInteger.valueOf(least), BigInteger.valueOf(greatest)))
                .mapToLong(BigInteger::longValue)
                .toArray());
  }

  /// Returns the least value of a column of which some values are bytes.
  static BigInteger least(ValueCounts values) {
    BigInteger wide = integer(values.leastBytes());
    return values.hasFiniteKeys() ? wide.min(BigInteger.valueOf(values.leastFiniteKey())) : wide;
  }

  /// Returns the greatest value of a column of which some values are bytes.
  static BigInteger greatest(ValueCounts values) {
    BigInteger wide = integer(values.greatestBytes());
    return values.hasFiniteKeys() ? wide.max(BigInteger.valueOf(values.greatestFiniteKey())) : wide;
  }

  private static BigInteger integer(@Nullable ByteString ordered) {
    if (ordered == null) {
      throw new IllegalStateException("No value is bytes");
    }
    return NumberKeys.wide(ordered.toByteArray(), 0, ordered.byteSize());
  }

  private static BigInteger[] integers(BigInteger least, BigInteger greatest) {
    BigInteger span = greatest.subtract(least).add(BigInteger.ONE);
    BigInteger most = BigInteger.valueOf(ColumnProfile.BINS_MAXIMUM);
    BigInteger count = span.min(most);
    BigInteger[] boundaries = new BigInteger[count.intValue() + 1];
    for (int i = 0; i < count.intValue(); i++) {
      boundaries[i] = least.add(span.multiply(BigInteger.valueOf(i)).divide(count));
    }
    boundaries[count.intValue()] = greatest;
    return boundaries;
  }

  /// Returns the keys of boundaries, of which only the last two may be equal.
  private static long[] numbers(Precision precision, double least, double greatest) {
    long[] boundaries = new long[ColumnProfile.BINS_MAXIMUM + 1];
    boundaries[0] = NumberKeys.key(least);
    int count = 1;
    for (int i = 1; i < ColumnProfile.BINS_MAXIMUM; i++) {
      double part = (double) i / ColumnProfile.BINS_MAXIMUM;
      double number = NumberKeys.rounded(precision, least * (1 - part) + greatest * part);
      if (number > NumberKeys.number(boundaries[count - 1]) && number < greatest) {
        boundaries[count++] = NumberKeys.key(number);
      }
    }
    boundaries[count++] = NumberKeys.key(greatest);
    return Arrays.copyOf(boundaries, count);
  }

  @Override
  public final void addKeys(long[] keys, int n, long @Nullable [] words) {
    for (int i = 0; i < n; i++) {
      if (words == null || (words[i >>> 6] >>> (i & 63) & 1) != 0) {
        addKey(keys[i], 1);
      }
    }
  }

  /// Returns the values at the boundaries of the bins.
  abstract List<ByteString> boundaries();

  /// Adds the values of bins with the same boundaries.
  void merge(Bins other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  /// Returns the same bins without values.
  abstract Bins empty();

  ColumnProfile.Histogram histogram() {
    return new ColumnProfile.Histogram(boundaries(), Arrays.stream(counts).boxed().toList());
  }

  final ArrowType type() {
    return type;
  }

  @Override
  public void addNulls(long count) {
    // No bin has nulls.
  }

  @Override
  public void addSegment(MemorySegment bytes, long count) {
    throw new IllegalStateException("Numbers are short");
  }

  /// Bins whose boundaries are keys.
  private static final class OfKeys extends Bins {

    private final long[] boundaries;
    private final boolean isFloating;
    private final double start;

    /// Bins per unit of half a key, or of half a number.
    private final double scale;

    OfKeys(ArrowType type, long[] boundaries) {
      super(type, boundaries.length - 1);
      this.boundaries = boundaries;
      this.isFloating = type instanceof ArrowType.FloatingPoint;
      this.start = isFloating ? NumberKeys.number(boundaries[0]) / 2 : 0;
      double span = half(boundaries[counts.length]);
      this.scale = span > 0 ? counts.length / span : 0;
    }

    /// Returns half the distance of a key from the first boundary, which has no overflow.
    private double half(long key) {
      return isFloating ? NumberKeys.number(key) / 2 - start : (key - boundaries[0] >>> 1);
    }

    @Override
    public void addKey(long key, long count) {
      if (key < boundaries[0] || key > boundaries[boundaries.length - 1]) {
        return; // NaN and the infinities
      }
      // An estimate by floating-point arithmetic, and then the boundaries decide.
      int bin = Math.clamp((long) (half(key) * scale), 0, counts.length - 1);
      while (key < boundaries[bin]) {
        bin--;
      }
      while (bin < counts.length - 1 && key >= boundaries[bin + 1]) {
        bin++;
      }
      counts[bin] += count;
    }

    @Override
    public void addBytes(byte[] bytes, int start, int length, long count) {
      throw new IllegalStateException("All values are keys");
    }

    @Override
    List<ByteString> boundaries() {
      return Arrays.stream(boundaries).mapToObj(key -> NumberKeys.value(type(), key)).toList();
    }

    @Override
    Bins empty() {
      return new OfKeys(type(), boundaries);
    }
  }

  /// Bins whose boundaries may be beyond keys.
  private static final class OfIntegers extends Bins {

    private final BigInteger[] boundaries;

    OfIntegers(ArrowType type, BigInteger[] boundaries) {
      super(type, boundaries.length - 1);
      this.boundaries = boundaries;
    }

    @Override
    public void addKey(long key, long count) {
      add(BigInteger.valueOf(key), count);
    }

    @Override
    public void addBytes(byte[] bytes, int start, int length, long count) {
      add(NumberKeys.wide(bytes, start, length), count);
    }

    private void add(BigInteger integer, long count) {
      int found = Arrays.binarySearch(boundaries, 0, counts.length, integer);
      counts[found < 0 ? -found - 2 : found] += count;
    }

    @Override
    List<ByteString> boundaries() {
      List<ByteString> values = new ArrayList<>();
      for (BigInteger boundary : boundaries) {
        values.add(NumberKeys.wideValue(type(), boundary));
      }
      return values;
    }

    @Override
    Bins empty() {
      return new OfIntegers(type(), boundaries);
    }
  }
}
