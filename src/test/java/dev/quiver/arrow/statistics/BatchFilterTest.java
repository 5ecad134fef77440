package dev.quiver.arrow.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.Predicate.Operator;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rows that predicates select from random batches, against a comparison of each value as a Java
/// object.
@Tag("random")
class BatchFilterTest {

  private static final int SEEDS = 1000;

  /// More slots than a block of any width has.
  private static final int LONG = 20_000;

  static Stream<RangeKernels> tests() {
    Stream<RangeKernels> scalar = Stream.of(new ScalarRangeKernels());
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()
        ? scalar
        : Stream.concat(scalar, Stream.of(new VectorRangeKernels()));
  }

  /// A predicate, and whether it selects a row, by the values of all leaf columns.
  private record Expected(Predicate predicate, Row row) {

    Expected and(Expected other) {
      return new Expected(
          new Predicate.Conjunction(List.of(predicate, other.predicate)),
          values -> row.passes(values) && other.row.passes(values));
    }
  }

  private interface Row {
    boolean passes(int row);
  }

  /// Returns a random condition on a column.
  private static Expected condition(LeafColumn leaf, List<@Nullable Object> values, Random random) {
    List<Integer> path = leaf.indices();
    ArrowType type = leaf.values().type();
    if (ValueKeys.of(type) == null || random.nextInt(8) == 0) {
      boolean isNull = random.nextBoolean();
      return new Expected(
          new Predicate.NullTest(path, isNull), row -> (values.get(row) == null) == isNull);
    }
    Supplier<Object> literals = literals(type, values, random);
    Object literal = literals.get();
    boolean isBinary = literal instanceof String || literal instanceof ByteString;
    if (isBinary && random.nextInt(3) == 0) {
      byte[] bytes = bytes(literal);
      byte[] prefix = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      return new Expected(
          new Predicate.Prefix(path, ByteString.of(prefix)),
          row -> startsWith(values.get(row), prefix));
    }
    if (random.nextInt(4) == 0) {
      List<Object> choices = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        choices.add(literals.get());
      }
      List<ByteString> encoded = choices.stream().map(each -> encoded(type, each)).toList();
      boolean isIn = random.nextBoolean();
      return new Expected(
          isIn ? new Predicate.In(path, encoded) : new Predicate.NotIn(path, encoded),
          row ->
              values.get(row) != null
                  && choices.stream().anyMatch(each -> compare(values.get(row), each) == 0)
                      == isIn);
    }
    if (random.nextInt(5) == 0) {
      Object high = literals.get();
      return new Expected(
          new Predicate.Outside(path, encoded(type, literal), encoded(type, high)),
          row ->
              passes(values.get(row), Operator.LESS, literal)
                  || passes(values.get(row), Operator.GREATER, high));
    }
    Operator operator = Operator.values()[random.nextInt(Operator.values().length)];
    return new Expected(
        new Predicate.Comparison(path, operator, encoded(type, literal)),
        row -> passes(values.get(row), operator, literal));
  }

  /// Returns literals that are often values of the column, or close to one.
  private static Supplier<Object> literals(
      ArrowType type, List<@Nullable Object> values, Random random) {
    List<Object> present = new ArrayList<>();
    for (Object value : values) {
      if (value != null) {
        present.add(value);
      }
    }
    return () -> {
      if (!present.isEmpty() && random.nextInt(4) != 0) {
        Object value = present.get(random.nextInt(present.size()));
        if (value instanceof String text && random.nextBoolean()) {
          return random.nextBoolean() || text.isEmpty()
              ? text + random.nextInt(2)
              : text.substring(0, text.offsetByCodePoints(0, 1));
        }
        return value;
      }
      return switch (type) {
        case ArrowType.FloatingPoint _ ->
            List.of(Double.NaN, 0.0, -0.0, Double.POSITIVE_INFINITY, 1.5, Double.NEGATIVE_INFINITY)
                .get(random.nextInt(6));
        case ArrowType.Date _, ArrowType.Time _, ArrowType.Timestamp _, ArrowType.Duration _ ->
            (long) random.nextInt(100);
        default -> FlatValues.of(type, random).get();
      };
    };
  }

  private static boolean passes(@Nullable Object value, Operator operator, Object literal) {
    if (value == null) {
      return operator == Operator.DISTINCT;
    }
    int order = compare(value, literal);
    return switch (operator) {
      case EQUAL, NOT_DISTINCT -> order == 0;
      case NOT_EQUAL, DISTINCT -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  private static int compare(@Nullable Object value, Object literal) {
    if (value instanceof Double number && literal instanceof Double other) {
      // The order of Double has NaN last, and -0.0 before 0.0.
      return Double.compare(number + 0.0, other + 0.0);
    }
    return ReferenceStatistics.compare(value, literal);
  }

  private static boolean startsWith(@Nullable Object value, byte[] prefix) {
    if (value == null) {
      return false;
    }
    byte[] bytes = bytes(value);
    return bytes.length >= prefix.length
        && Arrays.equals(Arrays.copyOf(bytes, prefix.length), prefix);
  }

  private static byte[] bytes(Object value) {
    return value instanceof String text
        ? text.getBytes(StandardCharsets.UTF_8)
        : ((ByteString) value).toByteArray();
  }

  private static ByteString encoded(ArrowType type, Object value) {
    if (value instanceof String || value instanceof ByteString) {
      return ByteString.of(bytes(value));
    }
    if (value instanceof Boolean bool) {
      return ByteString.of(new byte[] {(byte) (bool ? 1 : 0)});
    }
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array = new ArrayBuilder(arena).array(Field.of("", false, type), List.of(value));
      return ByteString.of(array.buffer(BufferRole.DATA).toArray(LittleEndian.INT8));
    }
  }

  private static void require(RangeKernels matchers, RecordBatch batch, Random random) {
    List<LeafColumn> leaves =
        LeafColumn.of(batch.schema()).stream()
            .filter(leaf -> !(leaf.values().type() instanceof ArrowType.Union))
            .toList();
    if (leaves.isEmpty()) {
      return;
    }
    LeafColumn first = leaves.get(random.nextInt(leaves.size()));
    Expected expected = condition(first, values(first, batch), random);
    for (int i = random.nextInt(3); i > 0; i--) {
      LeafColumn leaf = leaves.get(random.nextInt(leaves.size()));
      expected = expected.and(condition(leaf, values(leaf, batch), random));
    }
    require(matchers, batch, expected);
  }

  private static RowSet select(BatchFilter filter, RecordBatch batch) {
    int[] indices = filter.columns();
    List<Field> fields = IntStream.of(indices).mapToObj(batch.schema().fields()::get).toList();
    List<ArrayData> columns = IntStream.of(indices).mapToObj(batch.columns()::get).toList();
    return filter.select(
        new RecordBatch(batch.schema().withFields(fields), batch.length(), columns));
  }

  private static List<@Nullable Object> values(LeafColumn leaf, RecordBatch batch) {
    return ReferenceStatistics.values(leaf, batch.columns());
  }

  private static void require(RangeKernels matchers, RecordBatch batch, Expected expected) {
    BatchFilter filter = BatchFilter.of(expected.predicate, batch.schema(), matchers);
    BatchStatistics statistics =
        new StatisticsCalculator(_ -> List.of()).of(batch.length(), batch.columns());
    for (int repeated = 0; repeated < 2; repeated++) {
      BitSet found = BitSet.valueOf(select(filter, batch).words());
      for (int row = 0; row < batch.length(); row++) {
        assertThat(found.get(row))
            .as("row %d, %s of %s", row, expected.predicate, batch.schema().fields())
            .isEqualTo(expected.row.passes(row));
      }
      assertThat(found.length()).isLessThanOrEqualTo((int) batch.length());
      if (!found.isEmpty()) {
        assertThat(filter.mayMatch(batch.length(), statistics))
            .as("%s of %s", expected.predicate, statistics)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("tests")
  void selectsRowsOfEveryType(RangeKernels matchers) {
    for (int seed : Trials.seeds(SEEDS)) {
      RandomData data = new RandomData(seed);
      Random random = new Random(seed);
      Schema schema = data.schema(3);
      int length = random.nextInt(150);
      try (Arena arena = Arena.ofConfined()) {
        RecordBatch batch =
            new ArrayBuilder(arena, data.dictionaries())
                .recordBatch(
                    schema,
                    length,
                    schema.fields().stream().map(field -> data.values(field, length)).toList());
        require(matchers, batch, random);
        int start = random.nextInt(length + 1);
        int end = random.nextInt(start, length + 1);
        List<ArrayData> slices =
            batch.columns().stream()
                .map(column -> Slices.slice(column, start, end - start, arena))
                .toList();
        require(matchers, new RecordBatch(schema, end - start, slices), random);
      }
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("tests")
  void selectsRowsOfLongArrays(RangeKernels matchers) {
    Random random = new Random(1);
    for (ArrowType type : FlatValues.types()) {
      for (double nulls : new double[] {0, 0.3, 0.999}) {
        Supplier<Object> values = FlatValues.of(type, random);
        List<@Nullable Object> slots = new ArrayList<>();
        int length = LONG + random.nextInt(64);
        for (int i = 0; i < length; i++) {
          slots.add(random.nextDouble() < nulls ? null : values.get());
        }
        try (Arena arena = Arena.ofConfined()) {
          Schema schema = Schema.of(Field.of("a", true, type));
          RecordBatch batch = new ArrayBuilder(arena).recordBatch(schema, length, List.of(slots));
          for (int i = 0; i < 3; i++) {
            require(matchers, batch, random);
          }
        }
      }
    }
  }

  /// Values and literals that share most of their bytes, in every layout of text.
  @ParameterizedTest
  @MethodSource("tests")
  void comparesTextThatSharesItsStart(RangeKernels matchers) {
    Random random = new Random(2);
    List<ArrowType> types =
        List.of(new ArrowType.Utf8(), new ArrowType.LargeUtf8(), new ArrowType.Utf8View());
    for (int i = 0; i < 600; i++) {
      String start = "customer-000000000000000".substring(0, random.nextInt(24));
      List<@Nullable Object> slots = new ArrayList<>();
      for (int j = 0; j < 100; j++) {
        String end =
            switch (random.nextInt(4)) {
              case 0 -> "";
              case 1 -> "\0".repeat(random.nextInt(10));
              default -> Integer.toString(random.nextInt(30));
            };
        slots.add(random.nextInt(9) == 0 ? null : start + end);
      }
      Field field = Field.of("a", true, types.get(random.nextInt(3)));
      Map<Long, List<@Nullable Object>> dictionaries = new HashMap<>();
      if (random.nextInt(3) == 0) {
        dictionaries.put(1L, slots);
        field =
            field.withDictionary(
                new DictionaryEncoding(1, new ArrowType.Int(8 << random.nextInt(4), true), false));
      }
      try (Arena arena = Arena.ofConfined()) {
        RecordBatch batch =
            new ArrayBuilder(arena, dictionaries)
                .recordBatch(Schema.of(field), slots.size(), List.of(slots));
        require(matchers, batch, random);
      }
    }
  }

  /// A filter remembers which values of the last dictionary pass.
  @Test
  void batchesMayHaveDifferentDictionaries() {
    Field field =
        Field.of("a", true, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(8, true), false));
    Schema schema = Schema.of(field);
    BatchFilter filter =
        BatchFilter.of(
            new Predicate.Comparison(List.of(0), Operator.EQUAL, ByteString.of("b")), schema);
    try (Arena arena = Arena.ofConfined()) {
      for (List<String> words : List.of(List.of("a", "b"), List.of("b", "a"), List.of("c"))) {
        RecordBatch batch =
            new ArrayBuilder(arena, Map.of(1L, words))
                .recordBatch(schema, words.size(), List.of(words));
        for (int repeated = 0; repeated < 2; repeated++) {
          BitSet found = BitSet.valueOf(select(filter, batch).words());
          for (int row = 0; row < words.size(); row++) {
            assertThat(found.get(row)).isEqualTo(words.get(row).equals("b"));
          }
        }
      }
    }
  }

  private static RecordBatch batch(Arena arena, Field field, @Nullable Object... values) {
    return new ArrayBuilder(arena)
        .recordBatch(Schema.of(field), values.length, List.of(Arrays.asList(values)));
  }

  /// DuckDB's order of floating-point numbers.
  @ParameterizedTest
  @MethodSource("tests")
  void nanIsGreatestAndZerosAreEqual(RangeKernels matchers) {
    double otherNan = Double.longBitsToDouble(0xFFF8_0000_0000_0001L);
    Double[] values = {
      otherNan, Double.NEGATIVE_INFINITY, -1.0, -0.0, 0.0, 1.0, Double.POSITIVE_INFINITY, Double.NaN
    };
    ArrowType type = new ArrowType.FloatingPoint(Precision.DOUBLE);
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch = batch(arena, Field.of("a", false, type), (Object[]) values);
      for (Operator operator : Operator.values()) {
        for (Double literal : values) {
          require(
              matchers,
              batch,
              new Expected(
                  new Predicate.Comparison(List.of(0), operator, encoded(type, literal)),
                  row -> passes(values[row], operator, literal)));
        }
      }
    }
  }

  /// Values whose highest words are often equal, so that lower ones decide.
  @ParameterizedTest
  @MethodSource("tests")
  void wordsOfDecimalsBelowTheHighestAreUnsigned(RangeKernels matchers) {
    for (int bitWidth : new int[] {128, 256}) {
      ArrowType type =
          new ArrowType.Decimal(ArrowType.Decimal.maximumPrecision(bitWidth), 0, bitWidth);
      List<@Nullable Object> values = new ArrayList<>();
      for (int high = -2; high <= 2; high++) {
        for (long low : new long[] {0, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
          BigInteger unsigned = new BigInteger(Long.toUnsignedString(low));
          values.add(BigInteger.valueOf(high).shiftLeft(bitWidth - Long.SIZE).add(unsigned));
        }
      }
      try (Arena arena = Arena.ofConfined()) {
        RecordBatch batch = batch(arena, Field.of("a", false, type), values.toArray());
        for (Object literal : values) {
          require(
              matchers,
              batch,
              new Expected(
                  new Predicate.Comparison(List.of(0), Operator.LESS, encoded(type, literal)),
                  row -> passes(values.get(row), Operator.LESS, literal)));
        }
      }
    }
  }

  @Test
  void prunesBatchesWithoutMatches() {
    ArrowType type = new ArrowType.Int(16, false);
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch = batch(arena, Field.of("a", true, type), 10L, null, 60_000L);
      assertThat(mayMatch(batch, Operator.LESS, encoded(type, 10L))).isFalse();
      assertThat(mayMatch(batch, Operator.LESS_OR_EQUAL, encoded(type, 10L))).isTrue();
      assertThat(mayMatch(batch, Operator.GREATER, encoded(type, 60_000L))).isFalse();
      assertThat(mayMatch(batch, Operator.EQUAL, encoded(type, 9L))).isFalse();
      assertThat(mayMatch(batch, Operator.EQUAL, encoded(type, 11L))).isTrue();
      assertThat(mayMatch(batch, new Predicate.NullTest(List.of(0), true))).isTrue();
      assertThat(mayMatch(batch, Operator.DISTINCT, encoded(type, 9L))).isTrue();
      RecordBatch one = batch(arena, Field.of("a", true, type), 10L, 10L);
      assertThat(mayMatch(one, Operator.NOT_EQUAL, encoded(type, 10L))).isFalse();
      assertThat(mayMatch(one, new Predicate.NullTest(List.of(0), true))).isFalse();
      RecordBatch nulls = batch(arena, Field.of("a", true, type), null, null);
      assertThat(mayMatch(nulls, Operator.NOT_EQUAL, encoded(type, 10L))).isFalse();
      assertThat(mayMatch(nulls, new Predicate.NullTest(List.of(0), false))).isFalse();
      Field text = Field.of("a", true, new ArrowType.Utf8());
      RecordBatch texts = batch(arena, text, "b" + "x".repeat(50), "d" + "x".repeat(50));
      assertThat(mayMatch(texts, new Predicate.Prefix(List.of(0), ByteString.of("a")))).isFalse();
      assertThat(mayMatch(texts, new Predicate.Prefix(List.of(0), ByteString.of("c")))).isTrue();
      assertThat(mayMatch(texts, new Predicate.Prefix(List.of(0), ByteString.of("dy")))).isFalse();
      ArrowType numbers = new ArrowType.FloatingPoint(Precision.SINGLE);
      RecordBatch nan = batch(arena, Field.of("a", true, numbers), 1.0, Double.NaN);
      assertThat(mayMatch(nan, Operator.GREATER, encoded(numbers, 2.0))).isTrue();
      assertThat(mayMatch(nan, Operator.LESS, encoded(numbers, 1.0))).isFalse();
    }
  }

  private static boolean mayMatch(RecordBatch batch, Operator operator, ByteString literal) {
    return mayMatch(batch, new Predicate.Comparison(List.of(0), operator, literal));
  }

  private static boolean mayMatch(RecordBatch batch, Predicate predicate) {
    BatchStatistics statistics =
        new StatisticsCalculator(_ -> List.of()).of(batch.length(), batch.columns());
    return BatchFilter.of(predicate, batch.schema()).mayMatch(batch.length(), statistics);
  }

  /// Without statistics of a column, every batch may match.
  @Test
  void prunesNothingByUnknownStatistics() {
    Field[] children = new Field[1001];
    Arrays.setAll(children, i -> Field.of("c" + i, true, new ArrowType.Int(8, true)));
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch =
          batch(
              arena,
              Field.of("s", true, new ArrowType.Struct(), children),
              Collections.nCopies(1001, 7L));
      ByteString eight = ByteString.of(new byte[] {8});
      for (int i : new int[] {0, 999, 1000}) {
        Predicate predicate = new Predicate.Comparison(List.of(0, i), Operator.EQUAL, eight);
        assertThat(mayMatch(batch, predicate)).isEqualTo(i == 1000);
        assertThat(select(BatchFilter.of(predicate, batch.schema()), batch).isEmpty()).isTrue();
      }
      assertThat(mayMatch(batch, new Predicate.NullTest(List.of(0), true))).isTrue();
    }
  }

  @Test
  void rejectsWhatATypeDoesNotHave() {
    Schema schema =
        Schema.of(
            Field.of("list", true, new ArrowType.List(), Field.of("i", true, new ArrowType.Bool())),
            Field.of("union", true, new ArrowType.Union(UnionMode.SPARSE, List.of())),
            Field.of("number", true, new ArrowType.Int(32, true)));
    ByteString zero = ByteString.of(new byte[4]);
    for (Predicate predicate :
        List.of(
            new Predicate.Comparison(List.of(0), Operator.EQUAL, zero),
            new Predicate.NullTest(List.of(1), true),
            new Predicate.NullTest(List.of(3), true),
            new Predicate.NullTest(List.of(2, 0), true),
            new Predicate.Prefix(List.of(2), zero),
            new Predicate.Comparison(List.of(2), Operator.EQUAL, ByteString.of(new byte[8])))) {
      assertThatIllegalArgumentException()
          .as("%s", predicate)
          .isThrownBy(() -> BatchFilter.of(predicate, schema));
    }
  }

  @Test
  void selectsEveryRowWithoutParts() {
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch = batch(arena, Field.of("a", true, new ArrowType.Bool()), true, null);
      Predicate all = new Predicate.Conjunction(List.of());
      assertThat(select(BatchFilter.of(all, batch.schema()), batch).words()).containsExactly(0b11);
      Predicate none = new Predicate.In(List.of(0), List.of());
      assertThat(select(BatchFilter.of(none, batch.schema()), batch).words()).containsExactly(0);
    }
  }

  /// More ranges than are tested one by one, of values over the whole domain.
  @ParameterizedTest
  @MethodSource("tests")
  void searchesManyLiterals(RangeKernels matchers) {
    Random random = new Random(4);
    for (ArrowType type : FlatValues.types()) {
      Supplier<Object> values = FlatValues.of(type, random);
      List<Object> slots = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        slots.add(values.get());
      }
      List<Object> literals = new ArrayList<>(slots.subList(0, 40));
      if (type instanceof ArrowType.FloatingPoint) {
        literals.addAll(List.of(Double.NaN, -0.0));
      }
      try (Arena arena = Arena.ofConfined()) {
        Schema schema = Schema.of(Field.of("a", true, type));
        RecordBatch batch =
            new ArrayBuilder(arena).recordBatch(schema, slots.size(), List.of(slots));
        List<@Nullable Object> stored = values(LeafColumn.of(schema).getFirst(), batch);
        List<Object> rounded = new ArrayList<>();
        for (Object literal : literals) {
          rounded.add(
              literal instanceof Double
                  ? Objects.requireNonNull(
                      values(
                              LeafColumn.of(schema).getFirst(),
                              batch(arena, schema.fields().getFirst(), literal))
                          .getFirst())
                  : literal instanceof BigInteger big
                          && big.bitLength() < Long.SIZE
                          && !(type instanceof ArrowType.Decimal)
                      ? (Object) big.longValue()
                      : literal);
        }
        require(
            matchers,
            batch,
            new Expected(
                new Predicate.In(
                    List.of(0), literals.stream().map(each -> encoded(type, each)).toList()),
                row -> rounded.stream().anyMatch(each -> compare(stored.get(row), each) == 0)));
      }
    }
  }
}
