package dev.quiver.arrow.statistics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnProfile.FrequentValue;
import dev.quiver.arrow.statistics.ColumnProfile.Histogram;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Statistics of whole columns. `test_statistics.py` compares those of every type with pyarrow's.
@Tag("random")
class ColumnProfilersTest {

  private static final ArrowType.Int INT64 = new ArrowType.Int(64, true);
  private static final ArrowType.FloatingPoint DOUBLE =
      new ArrowType.FloatingPoint(Precision.DOUBLE);

  /// Returns the statistics of a batch whose rows are divided among profilers at some rows.
  static List<ColumnProfile> profiles(RecordBatch batch, List<Long> divisions, Random random) {
    List<ProfiledColumn> columns = ProfiledColumn.all(batch.schema());
    try (Arena arena = Arena.ofConfined()) {
      List<List<ArrayData>> parts = new ArrayList<>();
      long start = 0;
      List<Long> ends = new ArrayList<>(divisions);
      ends.add(batch.length());
      for (long end : ends) {
        long from = start;
        parts.add(
            batch.columns().stream()
                .map(column -> Slices.slice(column, from, end - from, arena))
                .toList());
        start = end;
      }
      ColumnProfilers all = ColumnProfilers.of(columns);
      while (all.needsPass()) {
        List<ColumnProfilers> profilers = new ArrayList<>();
        for (List<ArrayData> part : parts) {
          ColumnProfilers added = all.forPart();
          added.add(Arrays.stream(added.columnIndices()).mapToObj(part::get).toList());
          profilers.add(added);
        }
        Collections.shuffle(profilers, random);
        all.endPass(profilers);
      }
      return all.profiles();
    }
  }

  static ColumnProfile profile(ArrowType type, List<? extends @Nullable Object> values) {
    try (Arena arena = Arena.ofConfined()) {
      return profile(new ArrayBuilder(arena).array(Field.of("a", true, type), values));
    }
  }

  private static ColumnProfile profile(ArrayData array) {
    Schema schema = Schema.of(array.field());
    RecordBatch batch = new RecordBatch(schema, array.length(), List.of(array));
    return profiles(batch, List.of(), new Random(0)).getFirst();
  }

  @Test
  void statisticsDoNotDependOnHowRowsAreDivided() {
    for (int seed : Trials.seeds(150)) {
      RandomData data = new RandomData(seed);
      Random random = new Random(seed);
      Schema schema = data.schema(4);
      int length = random.nextInt(300);
      try (Arena arena = Arena.ofConfined()) {
        List<List<@Nullable Object>> columns =
            schema.fields().stream().map(field -> data.values(field, length)).toList();
        RecordBatch batch =
            new ArrayBuilder(arena, data.dictionaries()).recordBatch(schema, length, columns);
        List<Long> divisions = random.longs(3, 0, length + 1L).sorted().boxed().toList();
        assertThat(profiles(batch, divisions, random))
            .as("seed %d", seed)
            .isEqualTo(profiles(batch, List.of(), random));
      }
    }
  }

  @Tag("long")
  @Test
  void statisticsOfManyValuesDoNotDependOnHowRowsAreDivided() {
    Random random = new Random(5);
    int length = 90_000;
    for (ArrowType type : FlatValues.types()) {
      if (type instanceof ArrowType.FixedSizeBinary(int byteWidth) && byteWidth > 100) {
        continue;
      }
      Supplier<Object> values = FlatValues.of(type, random);
      List<@Nullable Object> slots = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        boolean isInfinite = type instanceof ArrowType.FloatingPoint && i % 1000 == 0;
        slots.add(
            isInfinite ? Double.POSITIVE_INFINITY : random.nextInt(10) == 0 ? null : values.get());
      }
      try (Arena arena = Arena.ofConfined()) {
        Field field = Field.of("a", true, type);
        ArrayData array = new ArrayBuilder(arena).array(field, slots);
        RecordBatch batch = new RecordBatch(Schema.of(field), length, List.of(array));
        ColumnProfile whole = profiles(batch, List.of(), random).getFirst();
        assertThat(profiles(batch, List.of(64L, 640L, 80_000L), random).getFirst())
            .as(type.toString())
            .isEqualTo(whole);
        Histogram histogram = whole.histogram();
        if (histogram != null) {
          long counted = histogram.counts().stream().mapToLong(Long::longValue).sum();
          assertThat(counted + whole.nullCount() + whole.nanCount() + whole.infiniteCount())
              .as(type.toString())
              .isEqualTo(length);
        }
      }
    }
  }

  @Test
  void omitsFrequentValuesBeyond65536DistinctOnes() {
    List<Long> most = LongStream.range(0, 1 << 16).boxed().toList();
    ColumnProfile counted = profile(INT64, most);
    assertThat(counted.distinctCount()).isEqualTo(1 << 16);
    assertThat(requireNonNull(counted.frequent()).getFirst())
        .isEqualTo(new FrequentValue(ByteString.of(new byte[8]), 1));
    ColumnProfile estimated = profile(INT64, LongStream.rangeClosed(0, 1 << 16).boxed().toList());
    assertThat(estimated.frequent()).isNull();
    assertThat(requireNonNull(estimated.distinctCount()).doubleValue())
        .isCloseTo(1 << 16, within(0.03 * (1 << 16)));
    assertThat(requireNonNull(estimated.histogram()).counts().stream().mapToLong(c -> c).sum())
        .isEqualTo((1 << 16) + 1);
  }

  @Test
  void omitsFrequentValuesBeyondFourMebibytes() {
    List<String> most = new ArrayList<>();
    for (char c = 'a'; c < 'e'; c++) {
      most.add(Character.toString(c).repeat(1 << 20));
    }
    most.add("a".repeat(1 << 20));
    List<FrequentValue> frequent = requireNonNull(profile(new ArrowType.Utf8(), most).frequent());
    assertThat(frequent.getFirst()).isEqualTo(new FrequentValue(ByteString.of("a".repeat(257)), 2));
    assertThat(frequent).hasSize(4);
    most.add("e");
    ColumnProfile estimated = profile(new ArrowType.Utf8(), most);
    assertThat(estimated.frequent()).isNull();
    assertThat(estimated.distinctCount()).isEqualTo(5);
    assertThat(estimated.minimum()).isEqualTo(ByteString.of("a".repeat(257)));
    assertThat(estimated.maximum()).isEqualTo(ByteString.of("e"));
  }

  /// Long values are read in parts once they are not counted one by one.
  @Test
  void longValuesAreTheSameInWholeAndInParts() {
    for (ArrowType type : new ArrowType[] {new ArrowType.Utf8(), new ArrowType.Utf8View()}) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        values.add("x".repeat((32 << 10) + i));
      }
      values.add("y".repeat(5 << 20));
      List<String> longFirst = new ArrayList<>(values.subList(0, 20));
      longFirst.addAll(values);
      List<String> longLast = longFirst.reversed();
      ColumnProfile first = profile(type, longFirst);
      assertThat(profile(type, longLast)).isEqualTo(first);
      assertThat(first.distinctCount()).isEqualTo(21);
    }
  }

  @Test
  void binsOfIntegersHaveWholeBounds() {
    Histogram few = requireNonNull(profile(INT64, List.of(3, 5, 5)).histogram());
    assertThat(integers(few.boundaries())).containsExactly(3L, 4L, 5L, 5L);
    assertThat(few.counts()).containsExactly(1L, 0L, 2L);
    Histogram one = requireNonNull(profile(INT64, List.of(7, 7)).histogram());
    assertThat(integers(one.boundaries())).containsExactly(7L, 7L);
    assertThat(one.counts()).containsExactly(2L);
    Histogram all =
        requireNonNull(
            profile(INT64, List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE)).histogram());
    assertThat(integers(all.boundaries())).hasSize(21).isSorted();
    assertThat(all.counts().get(0)).isEqualTo(1);
    assertThat(all.counts().get(9)).isEqualTo(1);
    assertThat(all.counts().get(10)).isEqualTo(1);
    assertThat(all.counts().get(19)).isEqualTo(1);
  }

  @Test
  void unsignedIntegersAreOrderedAsSuch() {
    BigInteger greatest = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    ColumnProfile profile =
        profile(new ArrowType.Int(64, false), List.of(greatest, BigInteger.ONE));
    assertThat(
            integers(List.of(requireNonNull(profile.minimum()), requireNonNull(profile.maximum()))))
        .containsExactly(1L, -1L);
    assertThat(requireNonNull(profile.histogram()).counts()).startsWith(1L).endsWith(1L);
  }

  @Test
  void binsOfNumbersReachFromTheLeastFiniteOneToTheGreatest() {
    ColumnProfile profile =
        profile(
            DOUBLE,
            Arrays.asList(
                -Double.MAX_VALUE,
                Double.MAX_VALUE,
                0.0,
                -0.0,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                null));
    assertThat(profile.nullCount()).isEqualTo(1);
    assertThat(profile.nanCount()).isEqualTo(1);
    assertThat(profile.infiniteCount()).isEqualTo(1);
    assertThat(profile.distinctCount()).isEqualTo(5);
    assertThat(doubles(List.of(requireNonNull(profile.maximum()))))
        .containsExactly(Double.POSITIVE_INFINITY);
    Histogram histogram = requireNonNull(profile.histogram());
    assertThat(doubles(histogram.boundaries())).hasSize(21).isSorted();
    assertThat(histogram.counts().get(0)).isEqualTo(1);
    assertThat(histogram.counts().get(10)).isEqualTo(2);
    assertThat(histogram.counts().get(19)).isEqualTo(1);
    Histogram adjacent =
        requireNonNull(profile(DOUBLE, List.of(1.0, Math.nextUp(1.0))).histogram());
    assertThat(doubles(adjacent.boundaries())).containsExactly(1.0, Math.nextUp(1.0));
    assertThat(adjacent.counts()).containsExactly(2L);
    assertThat(requireNonNull(profile(DOUBLE, List.of(Double.NaN)).histogram()).boundaries())
        .isEmpty();
  }

  @Test
  void unorderedValuesHaveFrequentOnesOnly() {
    ColumnProfile nested =
        profile(
            new ArrayBuilder(Arena.ofAuto())
                .array(
                    Field.of("a", true, new ArrowType.List(), Field.of("item", true, INT64)),
                    Arrays.asList(List.of(1L), null, List.of())));
    assertThat(nested)
        .isEqualTo(new ColumnProfile(1, 0, 0, null, null, null, null, null, null, null));
  }

  @Test
  void bytesOfStatisticsAreReadAsWritten() {
    List<ColumnProfile> profiles =
        List.of(
            profile(DOUBLE, Arrays.asList(1.0, null, 2.5)),
            profile(new ArrowType.Utf8(), List.of("a", "b", "a")),
            profile(INT64, List.of()),
            new ColumnProfile(1, 0, 0, null, null, null, null, null, null, null));
    byte[] bytes = ColumnProfileFormat.write(profiles);
    assertThat(ColumnProfileFormat.read(bytes)).isEqualTo(profiles);
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> ColumnProfileFormat.read(truncated))
          .as("%d bytes", length)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> ColumnProfileFormat.read(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void estimatesAreWithinThreePercent() {
    Random random = new Random(9);
    for (int count : new int[] {1, 100, 3_000, 50_000, 80_000, 400_000, 3_000_000}) {
      DistinctEstimator estimator = new DistinctEstimator();
      for (int i = 0; i < count; i++) {
        // Consecutive numbers are the hardest.
        estimator.add(Hashes.STABLE.of(i));
        estimator.add(Hashes.STABLE.of(random.nextInt(i + 1)));
      }
      assertThat((double) estimator.estimate()).isCloseTo(count, within(Math.max(1, 0.03 * count)));
    }
  }

  @Test
  void estimatesOfTextsAreWithinThreePercent() {
    for (String format : new String[] {"%d", "%08d", "some longer text %d", "%d at the end"}) {
      DistinctEstimator estimator = new DistinctEstimator();
      IntStream.range(0, 200_000)
          .mapToObj(i -> format.formatted(i).getBytes(StandardCharsets.UTF_8))
          .forEach(bytes ->
              estimator.add(
                  Hashes.STABLE.of(Arrays.copyOf(bytes, bytes.length + 8), 0, bytes.length)));
      assertThat((double) estimator.estimate()).as(format).isCloseTo(200_000, within(6_000.0));
    }
  }

  private static List<Long> integers(List<ByteString> values) {
    return values.stream()
        .map(value -> ByteBuffer.wrap(value.toByteArray()).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .toList();
  }

  private static List<Double> doubles(List<ByteString> values) {
    return integers(values).stream().map(Double::longBitsToDouble).toList();
  }
}
