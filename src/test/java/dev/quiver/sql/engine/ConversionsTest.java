package dev.quiver.sql.engine;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;
import static dev.quiver.arrow.type.BufferRole.VIEWS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.sql.engine.EngineException.Kind;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Values that the engine's types cannot hold, and arrays that are damaged.
class ConversionsTest extends EngineFixture {

  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType UTF8 = new ArrowType.Utf8();

  @ParameterizedTest
  @MethodSource("lossyValues")
  void lossyValueIsAnErrorUnlessItIsNull(ArrowType type, Object good, Object bad, String message) {
    Field field = Field.of("f", true, type);
    Field parent = Field.of("p", true, new ArrowType.Struct(), field);
    assertThat(failure(table(field, Arrays.asList(good, bad))))
        .hasMessageContainingAll(message, "column f");
    assertThat(failure(table(parent, List.of(List.of(good), List.of(bad)))))
        .hasMessageContaining(message);
    assertThat(read(table(field, Arrays.asList(good, null)))).hasSize(2);
    // The same value in a slot that is null, and in a child of a null.
    assertThat(read(nulled(table(field, List.of(good, bad))))).hasSize(2);
    assertThat(read(nulled(table(parent, List.of(List.of(good), List.of(bad)))))).hasSize(2);
    Field array = Field.of("p", true, new ArrowType.FixedSizeList(1), field);
    assertThat(read(nulled(table(array, List.of(List.of(good), List.of(bad)))))).hasSize(2);
    Field list = Field.of("p", true, new ArrowType.List(), field);
    assertThat(read(nulled(table(list, List.of(List.of(good), List.of(bad)))))).hasSize(2);
  }

  static Stream<Arguments> lossyValues() {
    return Stream.of(
        Arguments.of(new ArrowType.Date(DateUnit.MILLISECOND), 0, 1, "whole days"),
        Arguments.of(new ArrowType.Date(DateUnit.MILLISECOND), 0, 86_400_000L << 32, "whole days"),
        Arguments.of(new ArrowType.Duration(TimeUnit.NANOSECOND), 1000, 1001, "whole microseconds"),
        Arguments.of(
            new ArrowType.Duration(TimeUnit.SECOND), 1, 9_300_000_000_000L, "whole microseconds"),
        Arguments.of(
            new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO),
            new IntervalValue.MonthDayNano(1, 2, 3000),
            new IntervalValue.MonthDayNano(1, 2, 3001),
            "whole microseconds"),
        Arguments.of(
            new ArrowType.Timestamp(TimeUnit.SECOND, "UTC"), 1, 9_300_000_000_000L, "microseconds"),
        Arguments.of(
            new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC"), -1, Long.MIN_VALUE, "64 bits"));
  }

  @ParameterizedTest
  @MethodSource("decimals")
  void decimalOfMoreDigitsThanItsPrecisionIsAnError(int precision, int bitWidth, String digits) {
    ArrowType.Decimal type = new ArrowType.Decimal(precision, 0, bitWidth);
    ArrowType.Decimal largest =
        new ArrowType.Decimal(ArrowType.Decimal.maximumPrecision(bitWidth), 0, bitWidth);
    for (String sign : List.of("", "-")) {
      BigInteger bad = new BigInteger(sign + digits);
      TestTable built = table(Field.of("f", true, largest), List.of(BigInteger.ONE, bad));
      TestTable table = withField(built, Field.of("f", true, type));
      assertThat(failure(table)).hasMessageContaining("digits").hasMessageContaining("column f");
      BigInteger good = new BigInteger(sign + "9".repeat(precision));
      TestTable fits = table(Field.of("f", true, largest), List.of(BigInteger.ONE, good));
      assertThat(read(withField(fits, Field.of("f", true, type))))
          .containsExactly(List.of(BigInteger.ONE), List.of(good));
    }
  }

  static Stream<Arguments> decimals() {
    return Stream.of(
        Arguments.of(4, 32, "10000"),
        Arguments.of(9, 64, "1000000000"),
        Arguments.of(9, 64, "4294967296"),
        Arguments.of(18, 128, "1" + "0".repeat(18)),
        Arguments.of(18, 128, "36893488147419103232"),
        Arguments.of(5, 128, "36893488147419103233"),
        Arguments.of(18, 256, "340282366920938463463374607431768211456"),
        Arguments.of(30, 256, "340282366920938463463374607431768211457"));
  }

  static Stream<Arguments> keys() {
    ArrowType float64 = new ArrowType.FloatingPoint(Precision.DOUBLE);
    ArrowType float16 = new ArrowType.FloatingPoint(Precision.HALF);
    Field item = Field.of("item", true, new ArrowType.Utf8());
    return Stream.of(
        Arguments.of(Field.of("key", false, new ArrowType.Bool()), true, false),
        Arguments.of(Field.of("key", false, new ArrowType.Int(16, true)), 7, 8),
        Arguments.of(Field.of("key", false, float64), 0.5, -0.5),
        Arguments.of(Field.of("key", false, float64), Double.NaN, 1.0),
        Arguments.of(Field.of("key", false, float16), 1.0f, 1.5f),
        Arguments.of(
            Field.of("key", false, new ArrowType.Decimal(5, 2, 128)),
            BigInteger.ONE,
            BigInteger.TWO),
        Arguments.of(Field.of("key", false, new ArrowType.Utf8View()), "a", "b"),
        Arguments.of(
            Field.of("key", false, new ArrowType.List(), item), List.of("a"), List.of("a", "a")),
        Arguments.of(
            Field.of("key", false, new ArrowType.Struct(), item), List.of("a"), List.of("b")));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void keysOfEveryTypeMustBeDistinct(Field key, Object first, Object second) {
    Field map =
        Field.of(
            "m",
            true,
            new ArrowType.Map(false),
            Field.of(
                "entries",
                false,
                new ArrowType.Struct(),
                key,
                Field.of("value", true, new ArrowType.Int(32, true))));
    List<Object> good = List.of(List.of(first, 1), List.of(second, 2));
    List<Object> bad = List.of(List.of(second, 1), List.of(first, 2), List.of(second, 3));
    assertThat(read(table(map, List.of(good, good)))).hasSize(2);
    assertThat(failure(table(map, List.of(good, bad)))).hasMessageContaining("distinct keys");
  }

  @Test
  void zerosOfBothSignsAreTheSameKey() {
    Field map =
        Field.of(
            "m",
            true,
            new ArrowType.Map(false),
            Field.of(
                "entries",
                false,
                new ArrowType.Struct(),
                Field.of("key", false, new ArrowType.FloatingPoint(Precision.DOUBLE)),
                Field.of("value", true, new ArrowType.Int(32, true))));
    List<Object> zeros = List.of(List.of(0.0, 1), List.of(-0.0, 2));
    assertThat(failure(table(map, List.of(zeros, zeros)))).hasMessageContaining("distinct keys");
  }

  @Test
  void mapsNeedDistinctKeysThatAreNotNull() {
    Field map =
        Field.of(
            "f",
            true,
            new ArrowType.Map(false),
            Field.of(
                "entries",
                false,
                new ArrowType.Struct(),
                Field.of("key", true, UTF8),
                Field.of("value", true, INT32)));
    List<Object> good = List.of(List.of("a", 1), List.of("b", 2));
    List<Object> duplicate = List.of(List.of("a", 1), List.of("b", 2), List.of("a", 3));
    List<Object> unnamed = List.of(Arrays.asList(null, 1));
    assertThat(read(table(map, List.of(good, good)))).hasSize(2);
    assertThat(failure(table(map, List.of(good, duplicate)))).hasMessageContaining("distinct keys");
    assertThat(failure(table(map, List.of(good, unnamed)))).hasMessageContaining("not null");
    assertThat(read(nulled(table(map, List.of(good, duplicate))))).hasSize(2);
    assertThat(read(nulled(table(map, List.of(good, unnamed))))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 2048, 2050})
  void everyRowOfANullColumnIsNull(int rowCount) {
    Field field = Field.of("f", true, new ArrowType.Null());
    ArrayData nulls = new ArrayData(field, rowCount, rowCount, List.of(), List.of(), null);
    try (TestTable table = replaced(table(field, List.of()), field, nulls);
        Session session = engine.connect()) {
      assertThat(
              TestEngine.rows(
                  session, "SELECT count(*), sum(f IS NOT NULL) FROM t", Map.of("t", table)))
          .containsExactly(List.of((long) rowCount, BigInteger.ZERO));
    }
  }

  @Test
  void damagedArraysAreErrors() {
    List<Object> texts = List.of("a text that is long", "another text that is long");
    for (ArrowType type : List.of(UTF8, new ArrowType.LargeUtf8())) {
      int byteWidth = type.equals(UTF8) ? 4 : 8;
      for (long bad : new long[] {-1, 1000, Integer.MAX_VALUE}) {
        assertDamaged(
            Field.of("f", true, type),
            texts,
            OFFSETS,
            offsets -> {
              if (byteWidth == 4) {
                LittleEndian.setInt32(offsets, byteWidth, (int) bad);
              } else {
                LittleEndian.setInt64(offsets, byteWidth, bad);
              }
            });
      }
    }
    Field view = Field.of("f", true, new ArrowType.Utf8View());
    for (int position : new int[] {0, 8, 12}) {
      for (int bad : new int[] {-1, 1000}) {
        assertDamaged(view, texts, VIEWS, views -> LittleEndian.setInt32(views, position, bad));
      }
    }
    Field list = Field.of("f", true, new ArrowType.List(), Field.of("item", true, INT32));
    for (int bad : new int[] {-1, 5}) {
      assertDamaged(
          list,
          List.of(List.of(1, 2), List.of(3)),
          OFFSETS,
          offsets -> LittleEndian.setInt32(offsets, 4, bad));
    }
    Field listView = Field.of("f", true, new ArrowType.ListView(), Field.of("item", true, INT32));
    assertDamaged(
        listView,
        List.of(List.of(1, 2), List.of(3)),
        BufferRole.SIZES,
        sizes -> LittleEndian.setInt32(sizes, 0, 4));
    Field union =
        Field.of(
            "f",
            true,
            new ArrowType.Union(UnionMode.DENSE, List.of(3)),
            Field.of("n", true, INT32));
    List<Object> unions = List.of(new UnionValue(3, 1), new UnionValue(3, 2));
    for (byte bad : new byte[] {-1, 4}) {
      assertDamaged(union, unions, TYPE_IDS, ids -> LittleEndian.setInt8(ids, 0, bad));
    }
    assertDamaged(
        union, unions, BufferRole.SLOT_OFFSETS, offsets -> LittleEndian.setInt32(offsets, 4, 2));
    for (boolean signed : new boolean[] {true, false}) {
      Field dictionary =
          Field.of("f", true, UTF8)
              .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(8, signed), false));
      for (byte bad : new byte[] {-1, 2}) {
        assertDamaged(dictionary, texts, DATA, indices -> LittleEndian.setInt8(indices, 0, bad));
      }
    }
  }

  private void assertDamaged(
      Field field, List<Object> values, BufferRole role, Consumer<MemorySegment> damage) {
    TestTable table = table(field, values);
    assertThat(read(table)).hasSize(2);
    TestTable damaged = table(field, values);
    damage.accept(damaged.read(0, new int[] {0}).rows().columns().getFirst().buffer(role));
    EngineException failure = failure(damaged);
    assertThat(failure.kind()).isEqualTo(Kind.CONVERSION);
    assertThat(failure).hasMessageContaining("column f");
  }

  private static TestTable table(Field field, List<? extends Object> values) {
    TestTable table = new TestTable(Schema.of(field), true);
    ArrayBuilder builder =
        new ArrayBuilder(
            table.arena(), Map.of(1L, List.of("a text that is long", "another text that is long")));
    return table.add(builder.recordBatch(table.schema(), values.size(), List.of(values)));
  }

  /// Returns the table with its second row null, whose value stays.
  private static TestTable nulled(TestTable table) {
    RecordBatch batch = table.read(0, new int[] {0}).rows();
    ArrayData column = batch.columns().getFirst();
    List<MemorySegment> buffers = new ArrayList<>(column.buffers());
    buffers.set(0, table.arena().allocate(1).fill((byte) 1));
    ArrayData nulled =
        new ArrayData(column.field(), 2, 1, buffers, column.children(), column.dictionary());
    return replaced(table, column.field(), nulled);
  }

  private static TestTable withField(TestTable table, Field field) {
    ArrayData column = table.read(0, new int[] {0}).rows().columns().getFirst();
    ArrayData renamed =
        new ArrayData(field, 2, 0, column.buffers(), column.children(), column.dictionary());
    return replaced(table, field, renamed);
  }

  private static TestTable replaced(TestTable memory, Field field, ArrayData column) {
    TestTable table = new TestTable(Schema.of(field), true);
    table.keep(memory);
    return table.add(new RecordBatch(table.schema(), column.length(), List.of(column)));
  }

  private static List<List<@Nullable Object>> read(TestTable table) {
    try (table;
        Session session = engine.connect()) {
      return TestEngine.rows(session, "SELECT * FROM t", Map.of("t", table));
    }
  }

  private static EngineException failure(TestTable table) {
    EngineException failure = catchThrowableOfType(EngineException.class, () -> read(table));
    assertThat(failure).isNotNull();
    assertThat(failure.kind()).isEqualTo(Kind.CONVERSION);
    return failure;
  }
}
