package dev.quiver.sql.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FirstKeysTest {

  private static final int BATCH_ROWS = 1000;
  private static final int BATCHES = 6;
  private static final ArrowType INT64 = new ArrowType.Int(64, true);

  /// Zeros are equal, as in SQL.
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static final Comparator<Object> ORDER =
      (a, b) -> {
        boolean areZeros =
            a instanceof Number x
                && b instanceof Number y
                && x.doubleValue() == 0
                && y.doubleValue() == 0;
        return areZeros ? 0 : ((Comparable) a).compareTo(b);
      };

  private final Random random = new Random(20261201);

  /// A type, and its values by a random number.
  private record Typed(ArrowType type, LongFunction<Object> value) {

    @Override
    public String toString() {
      return type.toString();
    }
  }

  private static Typed typed(ArrowType type, LongFunction<Object> value) {
    return new Typed(type, value);
  }

  private static double fraction(long number) {
    double[] special = {Double.NaN, 0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    return number % 20 == 0
        ? special[(int) Math.floorMod(number / 20, special.length)]
        : number / 1e6;
  }

  static Stream<Typed> types() {
    return Stream.of(
        typed(new ArrowType.Int(8, true), n -> (byte) n),
        typed(new ArrowType.Int(16, true), n -> (short) n),
        typed(new ArrowType.Int(32, true), n -> (int) n),
        typed(INT64, n -> n),
        typed(new ArrowType.Int(8, false), n -> n & 0xFF),
        typed(new ArrowType.Int(16, false), n -> n & 0xFFFF),
        typed(new ArrowType.Int(32, false), n -> n & 0xFFFF_FFFFL),
        typed(new ArrowType.Int(64, false), n -> new BigInteger(Long.toUnsignedString(n))),
        typed(new ArrowType.FloatingPoint(Precision.SINGLE), n -> (float) fraction(n)),
        typed(new ArrowType.FloatingPoint(Precision.DOUBLE), n -> fraction(n)),
        typed(new ArrowType.Date(DateUnit.DAY), n -> (int) n),
        typed(new ArrowType.Timestamp(TimeUnit.NANOSECOND, null), n -> n),
        typed(new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"), n -> n));
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyRowThatMayBeAmongTheFirstPasses(Typed typed) {
    Field field = Field.of("key", true, typed.type);
    for (int rowCount : new int[] {1, 10, 1000}) {
      for (boolean isDescending : new boolean[] {false, true}) {
        List<List<@Nullable Object>> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
          boolean hasNulls = random.nextBoolean();
          batches.add(
              Stream.generate(() ->
                      hasNulls && random.nextInt(4) == 0
                          ? null
                          : typed.value.apply(random.nextLong() >> random.nextInt(64)))
                  .limit(BATCH_ROWS)
                  .toList());
        }
        List<@Nullable Object> passed =
            passed(field, new Leading(0, isDescending, rowCount), batches);
        Comparator<Object> order = isDescending ? ORDER.reversed() : ORDER;
        List<Object> sorted =
            batches.stream().flatMap(List::stream).filter(Objects::nonNull).sorted(order).toList();
        Object last = sorted.get(rowCount - 1);
        List<Object> needed =
            sorted.stream().filter(value -> order.compare(value, last) <= 0).toList();
        assertThat(
                passed.stream()
                    .filter(Objects::nonNull)
                    .filter(value -> order.compare(value, last) <= 0)
                    .sorted(order))
            .containsExactlyElementsOf(needed);
      }
    }
  }

  @Test
  void fewRowsPassInAnyOrder() {
    List<Long> ascending = LongStream.range(0, (long) BATCHES * BATCH_ROWS).boxed().toList();
    List<Long> shuffled = new ArrayList<>(ascending);
    Collections.shuffle(shuffled, random);
    Field field = Field.of("key", false, INT64);
    for (List<Long> numbers : List.of(ascending, ascending.reversed(), shuffled)) {
      for (boolean isDescending : new boolean[] {false, true}) {
        List<List<Long>> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
          batches.add(numbers.subList(i * BATCH_ROWS, (i + 1) * BATCH_ROWS));
        }
        assertThat(passed(field, new Leading(0, isDescending, 10), batches))
            .hasSizeBetween(10, 20 * BATCHES);
      }
    }
  }

  /// Rows are only left out once enough others are known, so nulls may be among the first.
  @Test
  void allRowsPassIfTooFewHaveValues() {
    List<@Nullable Object> values = Arrays.asList(null, 5L, null, 3L, null);
    assertThat(passed(Field.of("key", true, INT64), new Leading(0, true, 3), List.of(values)))
        .isEqualTo(values);
    assertThat(passed(Field.of("key", true, INT64), new Leading(0, true, 2), List.of(values)))
        .contains(5L, 3L);
  }

  @Test
  void batchIsReadWholeIfManyRowsEnter() {
    Field field = Field.of("key", false, INT64);
    List<Long> equal = LongStream.range(0, BATCH_ROWS).mapToObj(_ -> 7L).toList();
    assertThat(passed(field, new Leading(0, true, 1), List.of(equal))).hasSize(BATCH_ROWS);
  }

  @Test
  void otherTypesHaveNoKeys() {
    assertThat(
            Stream.of(
                new ArrowType.Utf8(),
                new ArrowType.Bool(),
                new ArrowType.FloatingPoint(Precision.HALF),
                new ArrowType.Date(DateUnit.MILLISECOND),
                new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC")))
        .noneMatch(type -> LeadingKeys.exist(Field.of("key", true, type)));
  }

  /// Returns the values of the rows that pass, as two threads read them in turn.
  private static List<@Nullable Object> passed(
      Field field, Leading leading, List<? extends List<? extends @Nullable Object>> batches) {
    AtomicLong bound = new AtomicLong(Long.MAX_VALUE);
    List<FirstKeys> threads =
        Stream.generate(() -> new FirstKeys(leading, Schema.of(field), bound)).limit(2).toList();
    List<@Nullable Object> passed = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < batches.size(); i++) {
        List<? extends @Nullable Object> values = batches.get(i);
        long[] passing = threads.get(i % 2).add(array(arena, field, values));
        for (int row = 0; row < values.size(); row++) {
          if (passing == VersionRows.WHOLE || (passing[row >> 6] >>> row & 1) != 0) {
            passed.add(values.get(row));
          }
        }
      }
    }
    return passed;
  }

  private static ArrayData array(
      Arena arena, Field field, List<? extends @Nullable Object> values) {
    return new ArrayBuilder(arena)
        .recordBatch(Schema.of(field), values.size(), List.of(values))
        .columns()
        .getFirst();
  }
}
