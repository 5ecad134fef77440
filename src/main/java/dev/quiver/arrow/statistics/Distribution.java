package dev.quiver.arrow.statistics;

import dev.quiver.arrow.statistics.ColumnProfile.Histogram;
import dev.quiver.arrow.statistics.ColumnProfile.Numbers;
import dev.quiver.arrow.type.ArrowType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The distribution of the finite values of a column, once their extremes, their number and their
/// sum are known: a histogram, their deviation and quartiles.
///
/// The first pass over the values has all of the histogram and the deviation. Further ones are for
/// quartiles alone.
final class Distribution implements ValueSink {

  /// The digits of a double, and as many of other means.
  private static final MathContext DIGITS = new MathContext(17, RoundingMode.HALF_EVEN);

  /// Digits enough for a double that is rounded once more.
  private static final MathContext MORE_DIGITS = new MathContext(40, RoundingMode.HALF_EVEN);

  private static final BigDecimal QUARTER = new BigDecimal("0.25");

  private final ArrowType type;
  private final long valueCount;
  private final Bins bins;

  /// Null of dates and times.
  private final @Nullable Deviations deviations;

  private final QuartileSearch quartiles;
  private boolean isFirstPass;

  private Distribution(
      ArrowType type,
      long valueCount,
      Bins bins,
      @Nullable Deviations deviations,
      QuartileSearch quartiles,
      boolean isFirstPass) {
    this.type = type;
    this.valueCount = valueCount;
    this.bins = bins;
    this.deviations = deviations;
    this.quartiles = quartiles;
    this.isFirstPass = isFirstPass;
  }

  /// Returns the distribution of a column before its first pass, or null without a finite value.
  ///
  /// @param counts all values
  static @Nullable Distribution of(ArrowType type, ValueCounts counts) {
    Bins bins = Bins.of(type, counts);
    if (bins == null) {
      return null;
    }
    boolean isWide = ValueKind.of(type) == ValueKind.WIDE && counts.leastBytes() != null;
    BigInteger least = isWide ? Bins.least(counts) : BigInteger.valueOf(counts.leastFiniteKey());
    BigInteger greatest =
        isWide ? Bins.greatest(counts) : BigInteger.valueOf(counts.greatestFiniteKey());
    long valueCount = counts.finiteCount();
    return new Distribution(
        type,
        valueCount,
        bins,
        deviations(type, counts.sum(), valueCount, least, greatest),
        new QuartileSearch(
            least,
            greatest,
            valueCount,
            counts.isExact() ? QuartileSearch.FEW_BUCKET_BITS : QuartileSearch.BUCKET_BITS),
        true);
  }

  private static @Nullable Deviations deviations(
      ArrowType type,
      @Nullable ExactSum sum,
      long valueCount,
      BigInteger least,
      BigInteger greatest) {
    if (sum == null) {
      return null;
    }
    if (!(type instanceof ArrowType.FloatingPoint)) {
      return new Deviations(false, Mean.ofIntegers(sum.total(), valueCount));
    }
    double largest =
        Math.max(
            Math.abs(NumberKeys.number(least.longValueExact())),
            Math.abs(NumberKeys.number(greatest.longValueExact())));
    return new Deviations(true, Mean.ofNumbers(sum.total(), valueCount, largest));
  }

  /// Returns the same distribution for some of the values of the next pass.
  Distribution empty() {
    return new Distribution(
        type,
        valueCount,
        bins.empty(),
        deviations == null ? null : deviations.empty(),
        quartiles.empty(),
        isFirstPass);
  }

  /// Returns whether a further pass is needed.
  boolean needsPass() {
    return isFirstPass || !quartiles.isFound();
  }

  @Override
  public void addNulls(long count) {
    // Nulls have no place in it.
  }

  @Override
  public void addKeys(long[] keys, int n, long @Nullable [] words) {
    if (isFirstPass) {
      bins.addKeys(keys, n, words);
      if (deviations != null) {
        deviations.addKeys(keys, n, words);
      }
    }
    quartiles.addKeys(keys, n, words);
  }

  @Override
  public void addKey(long key, long count) {
    if (isFirstPass) {
      bins.addKey(key, count);
      if (deviations != null) {
        deviations.addKey(key, count);
      }
    }
    quartiles.addKey(key, count);
  }

  @Override
  public void addBytes(byte[] bytes, int start, int length, long count) {
    if (isFirstPass) {
      bins.addBytes(bytes, start, length, count);
      if (deviations != null) {
        deviations.addInteger(NumberKeys.wide(bytes, start, length), count);
      }
    }
    quartiles.addBytes(bytes, start, length, count);
  }

  @Override
  public void addSegment(MemorySegment bytes, long count) {
    throw new IllegalStateException("Numbers are short");
  }

  /// Adds the values that another one of the same pass has.
  void merge(Distribution other) {
    if (isFirstPass) {
      bins.merge(other.bins);
      if (deviations != null) {
        deviations.squares.merge(Objects.requireNonNull(other.deviations).squares);
      }
    }
    quartiles.merge(other.quartiles);
  }

  /// Ends a pass over all values.
  void endPass() {
    isFirstPass = false;
    quartiles.endPass();
  }

  Histogram histogram() {
    return bins.histogram();
  }

  /// Returns the numbers after the last pass.
  Numbers numbers() {
    return new Numbers(mean(), deviation(), quartile(1), quartile(2), quartile(3));
  }

  private @Nullable BigDecimal mean() {
    if (deviations == null) {
      return null;
    }
    if (type instanceof ArrowType.FloatingPoint) {
      return BigDecimal.valueOf(deviations.mean.number);
    }
    BigInteger total = deviations.mean.total.add(base().multiply(BigInteger.valueOf(valueCount)));
    return scaled(new BigDecimal(total).divide(BigDecimal.valueOf(valueCount), DIGITS));
  }

  private @Nullable BigDecimal deviation() {
    double deviation = deviations == null ? Double.NaN : deviations.result(valueCount);
    return Double.isFinite(deviation) ? scaled(BigDecimal.valueOf(deviation)) : null;
  }

  private BigDecimal quartile(int quartile) {
    BigInteger lower = quartiles.lower(quartile);
    BigInteger upper = quartiles.upper(quartile);
    BigDecimal part = QUARTER.multiply(BigDecimal.valueOf(quartiles.quarters(quartile)));
    return switch (type) {
      case ArrowType.Temporal _ -> new BigDecimal(lower);
      case ArrowType.FloatingPoint(var precision) -> {
        BigDecimal number = between(number(lower), number(upper), part);
        yield new BigDecimal(NumberKeys.rounded(precision, number.doubleValue()));
      }
      default ->
          scaled(
              between(new BigDecimal(lower.add(base())), new BigDecimal(upper.add(base())), part));
    };
  }

  private static BigDecimal number(BigInteger key) {
    return new BigDecimal(NumberKeys.number(key.longValueExact()));
  }

  private static BigDecimal between(BigDecimal lower, BigDecimal upper, BigDecimal part) {
    return lower.add(upper.subtract(lower).multiply(part));
  }

  /// Returns what is added to a key for its integer.
  private BigInteger base() {
    return NumberKeys.isFlipped(type) ? BigInteger.ONE.shiftLeft(Long.SIZE - 1) : BigInteger.ZERO;
  }

  private BigDecimal scaled(BigDecimal number) {
    int scale = type instanceof ArrowType.Decimal(_, int decimalScale, _) ? decimalScale : 0;
    return number.scaleByPowerOfTen(-scale).stripTrailingZeros();
  }

  /// Returns the approximate heap that this takes.
  long heapByteSize() {
    return quartiles.heapByteSize();
  }

  /// A mean, as exact as the distances of values from it need.
  ///
  /// @param total the sum of the values
  /// @param number the number nearest to the mean
  /// @param integer the integer nearest to the mean, if the values are integers
  /// @param rest the mean less `integer`, or less `number` of floating-point numbers
  /// @param factor a power of two which brings distances below four, so that no square overflows
  private record Mean(
      BigInteger total, double number, BigInteger integer, double rest, double factor) {

    static Mean ofIntegers(BigInteger total, long valueCount) {
      BigDecimal count = BigDecimal.valueOf(valueCount);
      BigInteger nearest =
          new BigDecimal(total).divide(count, 0, RoundingMode.HALF_EVEN).toBigInteger();
      BigInteger rest = total.subtract(nearest.multiply(BigInteger.valueOf(valueCount)));
      return new Mean(
          total,
          nearest.doubleValue(),
          nearest,
          new BigDecimal(rest).divide(count, DIGITS).doubleValue(),
          1);
    }

    /// @param largest the largest magnitude of a value
    static Mean ofNumbers(BigInteger total, long valueCount, double largest) {
      BigInteger count = BigInteger.valueOf(valueCount);
      double nearest = quotient(total, count);
      int exponent = Math.max(Math.getExponent(largest), Double.MIN_EXPONENT);
      return new Mean(
          total,
          nearest,
          BigInteger.ZERO,
          quotient(total.subtract(ExactSum.units(nearest).multiply(count)), count),
          Math.scalb(1.0, -exponent));
    }

    /// Returns the number nearest to a part of a sum of floating-point numbers.
    static double quotient(BigInteger units, BigInteger count) {
      BigInteger divisor = count.shiftLeft(-ExactSum.UNIT_EXPONENT);
      return new BigDecimal(units).divide(new BigDecimal(divisor), MORE_DIGITS).doubleValue();
    }
  }

  /// The squares of the distances of values from their mean. Each is a double, and their sum is
  /// exact, so that it does not depend on their order.
  private static final class Deviations {

    private final boolean isFloatingPoint;
    private final Mean mean;
    private final ExactSum squares = ExactSum.ofNumbers();

    Deviations(boolean isFloatingPoint, Mean mean) {
      this.isFloatingPoint = isFloatingPoint;
      this.mean = mean;
    }

    Deviations empty() {
      return new Deviations(isFloatingPoint, mean);
    }

    void addKeys(long[] keys, int n, long @Nullable [] words) {
      for (int i = 0; i < n; i++) {
        if (words == null || (words[i >>> 6] >>> (i & 63) & 1) != 0) {
          addKey(keys[i], 1);
        }
      }
    }

    void addKey(long key, long count) {
      if (isFloatingPoint) {
        double number = NumberKeys.number(key);
        if (Double.isFinite(number)) {
          double factor = mean.factor;
          addDistance(number * factor - mean.number * factor - mean.rest * factor, count);
        }
        return;
      }
      long nearest = mean.integer.longValue();
      long distance = key - nearest;
      boolean overflows = ((key ^ nearest) & (key ^ distance)) < 0;
      if (mean.integer.bitLength() < Long.SIZE && !overflows) {
        addDistance(distance - mean.rest, count);
      } else {
        addInteger(BigInteger.valueOf(key), count);
      }
    }

    void addInteger(BigInteger value, long count) {
      addDistance(value.subtract(mean.integer).doubleValue() - mean.rest, count);
    }

    private void addDistance(double distance, long count) {
      squares.addNumber(distance * distance, count);
    }

    /// Returns the standard deviation of a sample, or NaN if there are fewer than two values.
    double result(long valueCount) {
      double sum = Mean.quotient(squares.total(), BigInteger.ONE);
      return valueCount < 2 ? Double.NaN : Math.sqrt(sum / (valueCount - 1)) / mean.factor;
    }
  }
}
