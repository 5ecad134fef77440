package dev.quiver.arrow.statistics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.statistics.ColumnProfile.Numbers;
import dev.quiver.arrow.statistics.ColumnProfile.TextLength;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.Arena;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Mean, deviation and quartiles, which [BigDecimal] calculates from all values, and lengths of
/// texts. `test_statistics.py` compares them with those of numpy and of DuckDB.
@Tag("random")
class DistributionTest {

  private static final ArrowType.Int INT64 = new ArrowType.Int(64, true);
  private static final ArrowType.Int UINT64 = new ArrowType.Int(64, false);
  private static final ArrowType.FloatingPoint DOUBLE =
      new ArrowType.FloatingPoint(Precision.DOUBLE);
  private static final ArrowType.Decimal WIDE = new ArrowType.Decimal(38, 4, 128);
  private static final ArrowType.Decimal WIDEST = new ArrowType.Decimal(76, 0, 256);

  /// More distinct values than are counted one by one.
  private static final int MANY = 70_000;

  private static Numbers numbers(ArrowType type, List<? extends @Nullable Object> values) {
    return requireNonNull(ColumnProfilersTest.profile(type, values).numbers());
  }

  /// Compares the numbers of a column with those of all its values, in one part and in several.
  private static void check(ArrowType type, List<?> values, Function<Object, BigDecimal> exact) {
    List<BigDecimal> sorted = values.stream().map(exact).sorted().toList();
    Random random = new Random(7);
    try (Arena arena = Arena.ofConfined()) {
      Field field = Field.of("a", true, type);
      ArrayData array = new ArrayBuilder(arena).array(field, values);
      RecordBatch batch = new RecordBatch(Schema.of(field), values.size(), List.of(array));
      List<Long> divisions = random.longs(3, 0, values.size() + 1L).sorted().boxed().toList();
      ColumnProfile profile = ColumnProfilersTest.profiles(batch, divisions, random).getFirst();
      assertThat(ColumnProfilersTest.profiles(batch, List.of(), random).getFirst())
          .isEqualTo(profile);
      Numbers numbers = requireNonNull(profile.numbers());
      BigDecimal count = BigDecimal.valueOf(sorted.size());
      BigDecimal mean =
          sorted.stream()
              .reduce(BigDecimal.ZERO, BigDecimal::add)
              .divide(count, new MathContext(60));
      assertClose(requireNonNull(numbers.mean()), mean, 2e-16, type);
      if (sorted.size() > 1) {
        BigDecimal squares =
            sorted.stream()
                .map(value -> value.subtract(mean, new MathContext(60)).pow(2))
                .reduce(BigDecimal.ZERO, (a, b) -> a.add(b, new MathContext(60)));
        BigDecimal deviation =
            squares
                .divide(count.subtract(BigDecimal.ONE), new MathContext(60))
                .sqrt(new MathContext(40));
        assertClose(requireNonNull(numbers.deviation()), deviation, 1e-15, type);
      } else {
        assertThat(numbers.deviation()).isNull();
      }
      double relative =
          type instanceof ArrowType.FloatingPoint(var precision)
              ? precision == Precision.DOUBLE ? 2e-16 : precision == Precision.SINGLE ? 1e-7 : 1e-3
              : 0;
      assertClose(numbers.firstQuartile(), quartile(sorted, 1), relative, type);
      assertClose(numbers.median(), quartile(sorted, 2), relative, type);
      assertClose(numbers.thirdQuartile(), quartile(sorted, 3), relative, type);
    }
  }

  private static BigDecimal quartile(List<BigDecimal> sorted, int quartile) {
    BigDecimal position =
        BigDecimal.valueOf(sorted.size() - 1L)
            .multiply(new BigDecimal("0.25"))
            .multiply(BigDecimal.valueOf(quartile));
    int index = position.intValue();
    BigDecimal lower = sorted.get(index);
    BigDecimal upper = sorted.get(Math.min(index + 1, sorted.size() - 1));
    return lower.add(upper.subtract(lower).multiply(position.subtract(BigDecimal.valueOf(index))));
  }

  private static void assertClose(
      BigDecimal found, BigDecimal expected, double relative, ArrowType type) {
    BigDecimal tolerance =
        expected
            .abs()
            .multiply(BigDecimal.valueOf(relative))
            .add(relative == 0 ? BigDecimal.ZERO : new BigDecimal(Double.MIN_VALUE));
    assertThat(found.subtract(expected).abs())
        .as("%s: %s and %s", type, found, expected.round(new MathContext(20)))
        .isLessThanOrEqualTo(tolerance);
  }

  private static BigDecimal exact(Object value) {
    return switch (value) {
      case Long number -> BigDecimal.valueOf(number);
      case BigInteger number -> new BigDecimal(number);
      case BigDecimal number -> number;
      case Double number -> new BigDecimal(number);
      default -> throw new IllegalArgumentException(value.toString());
    };
  }

  @Test
  void numbersAreThoseOfBigDecimals() {
    for (int seed : Trials.seeds(50)) {
      Random random = new Random(seed);
      int count = 1 + random.nextInt(random.nextInt(300) + 1);
      int exponent = random.nextInt(-1074, 1024);
      int spread = random.nextInt(1, 200);
      double far = random.nextInt(3) == 0 ? 1e15 : 0;
      check(
          DOUBLE,
          Stream.generate(() -> number(random, exponent, spread) + far).limit(count).toList(),
          DistributionTest::exact);
      check(INT64, random.longs(count).boxed().toList(), DistributionTest::exact);
      check(
          INT64,
          random.longs(count, -9, 10).map(i -> Long.MAX_VALUE / 3 + i).boxed().toList(),
          DistributionTest::exact);
      check(
          UINT64,
          Stream.generate(() -> new BigInteger(64, random)).limit(count).toList(),
          DistributionTest::exact);
      check(
          WIDEST,
          Stream.generate(() -> integer(random, 250)).limit(count).toList(),
          value -> exact(value));
    }
  }

  private static double number(Random random, int exponent, int spread) {
    double significand = random.nextGaussian();
    double number = Math.scalb(significand, exponent - random.nextInt(spread));
    return Double.isFinite(number) ? number : Double.MAX_VALUE;
  }

  private static BigInteger integer(Random random, int bits) {
    BigInteger magnitude = new BigInteger(random.nextInt(bits) + 1, random);
    return random.nextBoolean() ? magnitude : magnitude.negate();
  }

  @Test
  void numbersOfManyDistinctValuesAreExact() {
    Random random = new Random(11);
    check(
        DOUBLE,
        Stream.generate(random::nextGaussian).limit(MANY).toList(),
        DistributionTest::exact);
    check(INT64, random.longs(MANY).boxed().toList(), DistributionTest::exact);
    check(
        UINT64,
        Stream.generate(() -> new BigInteger(64, random)).limit(MANY).toList(),
        DistributionTest::exact);
    check(
        WIDEST,
        Stream.generate(() -> integer(random, 240)).limit(MANY).toList(),
        DistributionTest::exact);
    check(
        new ArrowType.FloatingPoint(Precision.SINGLE),
        Stream.generate(() -> (double) random.nextFloat()).limit(MANY).toList(),
        DistributionTest::exact);
  }

  /// One far value puts all others into one bucket, and then into one of the next pass.
  @Test
  void farValuesTakeMorePasses() {
    Random random = new Random(12);
    List<Long> near = new ArrayList<>(LongStream.range(0, MANY).map(i -> i * 3).boxed().toList());
    near.add(Long.MIN_VALUE);
    near.add(Long.MAX_VALUE);
    Collections.shuffle(near, random);
    check(INT64, near, DistributionTest::exact);
    List<BigInteger> wide =
        near.stream()
            .map(number -> BigInteger.ONE.shiftLeft(200).add(BigInteger.valueOf(number)))
            .collect(Collectors.toCollection(ArrayList::new));
    wide.add(BigInteger.ONE.shiftLeft(250).negate());
    check(WIDEST, wide, DistributionTest::exact);
  }

  /// Half of the rows have one value, which is more than are collected.
  @Test
  void frequentValuesAmongManyAreFound() {
    Random random = new Random(13);
    List<Double> values = new ArrayList<>(Collections.nCopies(MANY, 0.5));
    random.doubles(MANY).forEach(values::add);
    Collections.shuffle(values, random);
    check(DOUBLE, values, DistributionTest::exact);
    assertThat(numbers(DOUBLE, values).median()).isEqualByComparingTo("0.5");
  }

  @Test
  void nanAndInfinitiesAndNullsDoNotCount() {
    Numbers numbers =
        numbers(
            DOUBLE,
            Arrays.asList(
                1.0, null, Double.NaN, 3.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
    assertThat(numbers)
        .isEqualTo(
            new Numbers(
                new BigDecimal("2.0"),
                numbers.deviation(),
                new BigDecimal("1.5"),
                new BigDecimal("2"),
                new BigDecimal("2.5")));
    assertThat(requireNonNull(numbers.deviation()).doubleValue())
        .isCloseTo(Math.sqrt(2), within(1e-15));
    for (List<@Nullable Double> none :
        List.of(
            List.<@Nullable Double>of(),
            Arrays.asList((@Nullable Double) null),
            List.<@Nullable Double>of(Double.NaN, Double.POSITIVE_INFINITY))) {
      assertThat(ColumnProfilersTest.profile(DOUBLE, none).numbers()).isNull();
    }
  }

  @Test
  void numbersAtTheEndsOfDoubles() {
    double most = Double.MAX_VALUE;
    Numbers far = numbers(DOUBLE, List.of(-most, most));
    assertThat(requireNonNull(far.mean())).isEqualByComparingTo("0");
    // The square root of 2 times the greatest number.
    assertThat(far.deviation()).isNull();
    assertThat(far.firstQuartile()).isEqualByComparingTo(new BigDecimal(-most / 2));
    Numbers three = numbers(DOUBLE, List.of(-most, 0.0, most));
    assertThat(requireNonNull(three.deviation())).isEqualByComparingTo(BigDecimal.valueOf(most));
    Numbers least = numbers(DOUBLE, List.of(0.0, Double.MIN_VALUE, 2 * Double.MIN_VALUE));
    assertThat(requireNonNull(least.deviation()).doubleValue()).isEqualTo(Double.MIN_VALUE);
    Numbers adjacent = numbers(DOUBLE, List.of(1.0, Math.nextUp(1.0)));
    assertThat(requireNonNull(adjacent.deviation()).doubleValue())
        .isCloseTo(Math.ulp(1.0) / Math.sqrt(2), within(1e-30));
    Numbers same = numbers(DOUBLE, Collections.nCopies(10, 0.1));
    assertThat(requireNonNull(same.deviation())).isEqualByComparingTo("0");
    assertThat(requireNonNull(same.mean())).isEqualByComparingTo("0.1");
  }

  @Test
  void decimalsBeyondDoublesKeepTheirDigits() {
    List<BigDecimal> values =
        Stream.of("12345678901234567890123456789.0001", "12345678901234567890123456789.0002")
            .map(BigDecimal::new)
            .toList();
    Numbers numbers = numbers(WIDE, values);
    assertThat(numbers.median()).isEqualByComparingTo("12345678901234567890123456789.00015");
    assertThat(numbers.thirdQuartile())
        .isEqualByComparingTo("12345678901234567890123456789.000175");
    assertThat(numbers.mean()).isEqualByComparingTo("12345678901234568000000000000");
    assertThat(requireNonNull(numbers.deviation()).doubleValue())
        .isCloseTo(0.0001 / Math.sqrt(2), within(1e-19));
  }

  @Test
  void datesHaveTheLowerOfTwoValuesAndNoMean() {
    Numbers numbers =
        numbers(new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC"), List.of(1L, 2L, 4L, 8L));
    assertThat(numbers)
        .isEqualTo(new Numbers(null, null, BigDecimal.ONE, BigDecimal.TWO, BigDecimal.valueOf(4)));
  }

  @Test
  void halvesAreRoundedToTheirPrecision() {
    Numbers numbers =
        numbers(new ArrowType.FloatingPoint(Precision.HALF), List.of(0.1, 0.1, 2049.0, 65504.0));
    double tenth = Float.float16ToFloat(Float.floatToFloat16(0.1f));
    assertThat(numbers.firstQuartile().doubleValue()).isEqualTo(tenth);
    assertThat(numbers.median().doubleValue())
        .isEqualTo(Float.float16ToFloat(Float.floatToFloat16((float) ((tenth + 2048) / 2))));
  }

  @Test
  void lengthsOfTextsAreInCharacters() {
    ArrowType text = new ArrowType.Utf8();
    assertThat(
            ColumnProfilersTest.profile(text, Arrays.asList("", "aé", "日本語\uD83D\uDE80", null))
                .textLength())
        .isEqualTo(new TextLength(0, 4, 2));
    assertThat(ColumnProfilersTest.profile(text, List.of()).textLength()).isNull();
    assertThat(ColumnProfilersTest.profile(INT64, List.of(1L)).textLength()).isNull();
    Random random = new Random(3);
    List<String> many = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      many.add("é".repeat(random.nextInt(12)) + i + "\uD83D\uDE80".repeat(random.nextInt(3)));
    }
    many.add("ü".repeat(5 << 20));
    long total = many.stream().mapToLong(each -> each.codePointCount(0, each.length())).sum();
    for (ArrowType type : List.of(text, new ArrowType.Utf8View(), new ArrowType.LargeUtf8())) {
      assertThat(ColumnProfilersTest.profile(type, many).textLength())
          .isEqualTo(
              new TextLength(
                  many.stream()
                      .mapToInt(each -> each.codePointCount(0, each.length()))
                      .min()
                      .orElseThrow(),
                  5 << 20,
                  (double) total / many.size()));
    }
  }
}
