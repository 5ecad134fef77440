package dev.quiver.arrow.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.DictionaryIndex;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Statistics of random batches, against a calculation with one Java object per value.
@Tag("random")
class StatisticsCalculatorTest {

  private static final int SEEDS = 300;

  /// More slots than a block of any width has.
  private static final int LONG = 40_000;

  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);

  static Stream<RangeKernels> kernels() {
    Stream<RangeKernels> scalar = Stream.of(new ScalarRangeKernels());
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()
        ? scalar
        : Stream.concat(scalar, Stream.of(new VectorRangeKernels()));
  }

  private static StatisticsCalculator calculator(RangeKernels kernels) {
    return new StatisticsCalculator(_ -> List.of(), kernels);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void calculatesStatisticsOfEveryType(RangeKernels kernels) {
    StatisticsCalculator calculator = calculator(kernels);
    for (int seed : Trials.seeds(SEEDS)) {
      RandomData data = new RandomData(seed);
      Random random = new Random(seed);
      Schema schema = data.schema(4);
      int length = random.nextInt(200);
      try (Arena arena = Arena.ofConfined()) {
        List<List<@Nullable Object>> columns =
            schema.fields().stream().map(field -> data.values(field, length)).toList();
        RecordBatch batch =
            new ArrayBuilder(arena, data.dictionaries()).recordBatch(schema, length, columns);
        require(calculator, schema, batch);
        // Slices have nulls at any offset, and values outside of them.
        int start = random.nextInt(length + 1);
        int end = random.nextInt(start, length + 1);
        List<ArrayData> slices =
            batch.columns().stream()
                .map(column -> Slices.slice(column, start, end - start, arena))
                .toList();
        require(calculator, schema, new RecordBatch(schema, end - start, slices));
      }
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("kernels")
  void calculatesStatisticsOfLongArrays(RangeKernels kernels) {
    Random random = new Random(1);
    for (ArrowType type : FlatValues.types()) {
      for (double nulls : new double[] {0, 0.001, 0.5, 0.9999}) {
        Supplier<Object> values = FlatValues.of(type, random);
        List<@Nullable Object> slots = new ArrayList<>();
        int length = LONG + random.nextInt(64);
        for (int i = 0; i < length; i++) {
          slots.add(random.nextDouble() < nulls ? null : values.get());
        }
        require(calculator(kernels), Field.of("a", true, type), slots);
      }
    }
  }

  /// Values with the same start, which differ before, at and after the end of a bound.
  @ParameterizedTest
  @MethodSource("kernels")
  void roundsTruncatedBoundsOutward(RangeKernels kernels) {
    int[] characters = {
      0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, Character.MAX_CODE_POINT
    };
    List<ArrowType> texts =
        List.of(new ArrowType.Utf8(), new ArrowType.LargeUtf8(), new ArrowType.Utf8View());
    List<ArrowType> binaries =
        List.of(
            new ArrowType.Binary(),
            new ArrowType.LargeBinary(),
            new ArrowType.BinaryView(),
            new ArrowType.FixedSizeBinary(40));
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      List<Object> text = new ArrayList<>();
      List<Object> binary = new ArrayList<>();
      int character = characters[random.nextInt(characters.length)];
      String start = Character.toString(character).repeat(random.nextInt(33));
      byte[] filled = new byte[40];
      Arrays.fill(filled, 0, random.nextInt(41), (byte) -random.nextInt(2));
      for (int j = random.nextInt(1, 4); j > 0; j--) {
        StringBuilder end = new StringBuilder(start);
        for (int k = random.nextInt(12); k > 0; k--) {
          end.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        text.add(end.toString());
        byte[] bytes = filled.clone();
        bytes[random.nextInt(40)] += (byte) random.nextInt(2);
        binary.add(ByteString.of(bytes));
      }
      require(calculator(kernels), Field.of("a", true, texts.get(random.nextInt(3))), text);
      require(calculator(kernels), Field.of("a", true, binaries.get(random.nextInt(4))), binary);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void comparesZerosAndLengthsOfShortValues(RangeKernels kernels) {
    List<String> values = List.of("", "\0", "\0\0", "a", "a\0", "a\0\0\0\0\0\0\0\0", "aaaaaaaa");
    for (String first : values) {
      for (String second : values) {
        require(
            calculator(kernels),
            Field.of("a", false, new ArrowType.Utf8()),
            List.of(first, second));
      }
    }
  }

  /// The values that no slot of the batch refers to are left out, and so are those of null slots.
  @ParameterizedTest
  @MethodSource("kernels")
  void dictionariesAreBoundedByUsedValues(RangeKernels kernels) {
    Random random = new Random(5);
    for (int i = 0; i < 100; i++) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int j = random.nextInt(1, 127); j > 0; j--) {
        values.add(random.nextInt(10) == 0 ? null : FlatValues.text(random.nextInt(3), random) + j);
      }
      int used = random.nextInt(1, values.size() + 1);
      List<@Nullable Object> slots = new ArrayList<>();
      for (int j = random.nextInt(500); j > 0; j--) {
        slots.add(random.nextInt(9) == 0 ? null : new DictionaryIndex(random.nextInt(used)));
      }
      Field field = dictionaryEncoded(new ArrowType.Int(8 << random.nextInt(4), true));
      require(calculator(kernels), field, slots, Map.of(1L, values));
    }
  }

  private static Field dictionaryEncoded(ArrowType.Int indexType) {
    return Field.of("a", true, new ArrowType.Utf8())
        .withDictionary(new DictionaryEncoding(1, indexType, false));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void dictionariesMayLieInSeveralArrays(RangeKernels kernels) {
    try (Arena arena = Arena.ofConfined()) {
      Field field = dictionaryEncoded(INT8);
      List<Object> values = List.of("d", "c", "b", "a");
      ArrayData whole =
          new ArrayBuilder(arena, Map.of(1L, values)).array(field, List.of("c", "b", "c"));
      ArrayData without = new ArrayData(field, 3, 0, whole.buffers(), whole.children(), null);
      ArrayData dictionary = new ArrayBuilder(arena).array(field.withDictionary(null), values);
      List<ArrayData> parts =
          List.of(Slices.slice(dictionary, 0, 2, arena), Slices.slice(dictionary, 2, 2, arena));
      StatisticsCalculator calculator = new StatisticsCalculator(_ -> parts, kernels);
      ReferenceStatistics.require(
          calculator.of(3, List.of(without)),
          Schema.of(field),
          new RecordBatch(Schema.of(field), 3, List.of(whole)));
    }
  }

  /// Its bounds would cost more than they save.
  @Test
  void aDictionaryMuchLongerThanTheBatchHasNoBounds() {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < 4097; i++) {
      values.add("v" + i);
    }
    try (Arena arena = Arena.ofConfined()) {
      Field field = dictionaryEncoded(new ArrowType.Int(16, true));
      for (int length : new int[] {1, 1024, 1025}) {
        for (int valueCount : new int[] {4096, 4097}) {
          ArrayData array =
              new ArrayBuilder(arena, Map.of(1L, values.subList(0, valueCount)))
                  .array(field, Collections.nCopies(length, "v7"));
          ColumnStatistics found =
              calculator(RangeKernels.chosen()).of(length, List.of(array)).columns().getFirst();
          assertThat(found.bounded()).isEqualTo(valueCount == 4096 || length == 1025);
          assertThat(found.nullCount()).isZero();
        }
      }
    }
  }

  @Test
  void onlyTheFirstThousandLeafColumnsHaveStatistics() {
    for (int count : new int[] {999, 1000, 1001}) {
      Field[] children = new Field[count - 1];
      Arrays.setAll(children, i -> Field.of("c" + i, true, INT8));
      Schema schema =
          Schema.of(
              Field.of("first", true, INT8), Field.of("s", true, new ArrowType.Struct(), children));
      List<Object> tuple = new ArrayList<>(Collections.nCopies(count - 1, 7));
      try (Arena arena = Arena.ofConfined()) {
        RecordBatch batch =
            new ArrayBuilder(arena).recordBatch(schema, 1, List.of(List.of(7), List.of(tuple)));
        BatchStatistics found = calculator(RangeKernels.chosen()).of(1, batch.columns());
        assertThat(found.columns()).hasSize(Math.min(count, 1000));
        assertThat(LeafColumn.of(schema)).hasSize(Math.min(count, 1000));
        assertThat(found.columns().stream().distinct()).hasSize(1);
      }
    }
  }

  /// The statistics of parts are those of the whole, if no bound is truncated.
  @Test
  void mergesTheStatisticsOfParts() {
    for (int seed : Trials.seeds(SEEDS)) {
      RandomData data = new RandomData(seed);
      Random random = new Random(seed);
      Schema schema = data.schema(3);
      int length = random.nextInt(1, 50);
      int middle = random.nextInt(length + 1);
      try (Arena arena = Arena.ofConfined()) {
        RecordBatch batch =
            new ArrayBuilder(arena, data.dictionaries())
                .recordBatch(
                    schema,
                    length,
                    schema.fields().stream().map(field -> data.values(field, length)).toList());
        StatisticsCalculator calculator = calculator(RangeKernels.chosen());
        List<BatchStatistics> parts = new ArrayList<>();
        for (int[] range : new int[][] {{0, middle}, {middle, length}}) {
          int rows = range[1] - range[0];
          parts.add(
              calculator.of(
                  rows,
                  batch.columns().stream()
                      .map(column -> Slices.slice(column, range[0], rows, arena))
                      .toList()));
        }
        BatchStatistics whole = calculator.of(length, batch.columns());
        BatchStatistics merged = BatchStatistics.merged(schema, parts);
        for (int i = 0; i < whole.columns().size(); i++) {
          ColumnStatistics expected = whole.columns().get(i);
          ColumnStatistics found = merged.columns().get(i);
          if (expected.nullCount() >= 0 && found.nullCount() >= 0) {
            assertThat(found).isEqualTo(expected);
          }
        }
      }
    }
  }

  private static void require(
      StatisticsCalculator calculator, Field field, List<? extends @Nullable Object> values) {
    require(calculator, field, values, new HashMap<>());
  }

  private static void require(
      StatisticsCalculator calculator,
      Field field,
      List<? extends @Nullable Object> values,
      Map<Long, List<@Nullable Object>> dictionaries) {
    try (Arena arena = Arena.ofConfined()) {
      Schema schema = Schema.of(field);
      RecordBatch batch =
          new ArrayBuilder(arena, dictionaries).recordBatch(schema, values.size(), List.of(values));
      require(calculator, schema, batch);
    }
  }

  private static void require(StatisticsCalculator calculator, Schema schema, RecordBatch batch) {
    ReferenceStatistics.require(calculator.of(batch.length(), batch.columns()), schema, batch);
  }
}
