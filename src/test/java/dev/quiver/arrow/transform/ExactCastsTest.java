package dev.quiver.arrow.transform;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Values are built in one type, cast, and compared with those read in the other.
@Tag("random")
class ExactCastsTest {

  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType FLOAT64 = new ArrowType.FloatingPoint(Precision.DOUBLE);
  private static final ArrowType FLOAT32 = new ArrowType.FloatingPoint(Precision.SINGLE);
  private static final ArrowType FLOAT16 = new ArrowType.FloatingPoint(Precision.HALF);
  private static final Field NULLS = field(new ArrowType.Null());
  private static final long DAY = 86_400_000_000L;

  private static Field field(ArrowType type, Field... children) {
    return Field.of("c", true, type, children);
  }

  private static Field dictionary(ArrowType type, boolean ordered) {
    return field(type)
        .withDictionary(new DictionaryEncoding(0, new ArrowType.Int(8, true), ordered));
  }

  private static ArrowType timestamp(TimeUnit unit, @Nullable String zone) {
    return new ArrowType.Timestamp(unit, zone);
  }

  /// Returns an allocator of non-zero memory, which exposes every byte that is not written.
  private static SegmentAllocator dirty(Arena arena) {
    return (byteSize, alignment) -> arena.allocate(byteSize, alignment).fill((byte) 0xA5);
  }

  private static ArrayData array(
      Field field, List<? extends @Nullable Object> values, Arena arena) {
    Map<Long, List<@Nullable Object>> dictionaries =
        Map.of(
            0L,
            new ArrayList<>(values.stream().filter(value -> value != null).distinct().toList()));
    return new ArrayBuilder(arena, field.dictionary() == null ? Map.of() : dictionaries)
        .array(field, values);
  }

  private static List<@Nullable Object> cast(
      Field from, List<? extends @Nullable Object> values, Field to, Arena arena) {
    Cast cast = requireNonNull(ExactCasts.of(from, to), from + " to " + to);
    ArrayData result = cast.apply(array(from, values, arena), dirty(arena));
    RecordBatch batch =
        new RecordBatch(Schema.of(result.field()), result.length(), List.of(result));
    assertThat(Validator.validate(batch, Level.VALUES)).as(from + " to " + to).isEmpty();
    return new ArrayList<>(Values.of(result));
  }

  private static List<@Nullable Object> values(@Nullable Object... values) {
    return Collections.unmodifiableList(Arrays.<@Nullable Object>asList(values));
  }

  private static void assertCasts(
      Field from, List<? extends @Nullable Object> values, Field to, List<?> expected) {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(cast(from, values, to, arena)).as(from + " to " + to).isEqualTo(expected);
    }
  }

  private static void assertRejects(Field from, Object value, Field to) {
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> cast(from, values(null, value), to, arena))
          .as(from + " to " + to)
          .isInstanceOf(InvalidCastException.class);
    }
  }

  private record Family(List<Field> fields, List<@Nullable Object> values) {}

  private static Family of(List<@Nullable Object> values, ArrowType... types) {
    return new Family(Arrays.stream(types).map(type -> field(type)).toList(), values);
  }

  private static Field listOf(ArrowType type, ArrowType item) {
    return field(type, Field.of("item", true, item));
  }

  static List<Family> families() {
    List<@Nullable Object> texts =
        values("", null, "ä", "a text that is longer than twelve bytes", "", "x".repeat(300), null);
    List<Field> textFields =
        new ArrayList<>(
            of(texts, UTF8, new ArrowType.LargeUtf8(), new ArrowType.Utf8View()).fields());
    textFields.add(dictionary(UTF8, false));
    textFields.add(dictionary(new ArrowType.LargeUtf8(), false));
    List<@Nullable Object> sixteen =
        values(ByteString.of(new byte[16]), null, ByteString.of("0123456789abcdef"));
    List<@Nullable Object> lists = values(List.of(1L), null, List.of(), values(3L, null, 2L));
    return List.of(
        new Family(textFields, texts),
        of(
            sixteen,
            new ArrowType.Binary(),
            new ArrowType.LargeBinary(),
            new ArrowType.BinaryView(),
            new ArrowType.FixedSizeBinary(16)),
        of(
            values(0L, null, 100L, 7L),
            INT32,
            INT64,
            new ArrowType.Int(8, true),
            new ArrowType.Int(16, false),
            new ArrowType.Int(64, false)),
        of(
            values(0.5, null, -2.0, Double.NaN, Double.NEGATIVE_INFINITY, -0.0),
            FLOAT64,
            FLOAT32,
            FLOAT16),
        new Family(
            List.of(
                listOf(new ArrowType.List(), INT64),
                listOf(new ArrowType.LargeList(), INT32),
                listOf(new ArrowType.ListView(), INT64),
                listOf(new ArrowType.LargeListView(), new ArrowType.Int(8, false))),
            lists));
  }

  @ParameterizedTest
  @MethodSource("families")
  void castsWithinAFamilyAndBack(Family family) {
    for (Field from : family.fields()) {
      for (Field to : family.fields()) {
        assertCasts(from, family.values(), to, family.values());
        assertCasts(from, List.of(), to, List.of());
        assertCasts(from, values(null, null), to, values(null, null));
      }
    }
  }

  @Test
  void castsNumbersThatFit() {
    assertCasts(field(INT64), values(3L, null), field(FLOAT64), values(3.0, null));
    assertCasts(field(FLOAT64), values(-3.0, null), field(INT64), values(-3L, null));
    assertCasts(field(FLOAT64), values(-0x1p63), field(INT64), values(Long.MIN_VALUE));
    for (Object value : List.of(0.5, Double.NaN, 0x1p63, -0.0, Double.POSITIVE_INFINITY)) {
      assertRejects(field(FLOAT64), value, field(INT64));
    }
    assertRejects(field(FLOAT64), 300.0, field(new ArrowType.Int(8, false)));
    assertRejects(field(INT64), (1L << 53) + 1, field(FLOAT64));
    assertRejects(field(INT64), Long.MAX_VALUE, field(FLOAT64));
    assertRejects(field(INT64), 16_777_217L, field(FLOAT32));
    assertRejects(field(INT64), 2_049L, field(FLOAT16));
    assertRejects(field(FLOAT64), 0.1, field(FLOAT32));
    assertRejects(field(FLOAT64), 1e300, field(FLOAT32));
    assertRejects(field(INT64), 5_000_000_000L, field(INT32));
    Field unsigned = field(new ArrowType.Int(64, false));
    try (Arena arena = Arena.ofConfined()) {
      List<@Nullable Object> most = values(new BigInteger("18446744073709551615"));
      assertThatThrownBy(() -> cast(unsigned, most, field(FLOAT64), arena))
          .isInstanceOf(InvalidCastException.class);
    }
    BigInteger half = BigInteger.ONE.shiftLeft(63);
    BigInteger last = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE.shiftLeft(11));
    assertCasts(unsigned, values(half, 7L, null), field(FLOAT64), values(0x1p63, 7.0, null));
    assertCasts(unsigned, values(last), field(FLOAT64), values(0x1.fffffffffffffp63));
    assertCasts(unsigned, values(half), field(FLOAT32), values(0x1p63));
    assertRejects(unsigned, last, field(FLOAT32));
    assertRejects(unsigned, half, field(FLOAT16));
    assertRejects(unsigned, half.add(BigInteger.ONE.shiftLeft(10)), field(FLOAT64));
    assertRejects(unsigned, half.add(BigInteger.ONE), field(FLOAT64));
  }

  @Test
  void castsDecimalsToFloatingPointNumbersThatEqualThem() {
    Field cents = field(new ArrowType.Decimal(10, 2, 128));
    assertCasts(
        cents,
        values(BigInteger.valueOf(-150), BigInteger.ZERO, null),
        field(FLOAT64),
        values(-1.5, 0.0, null));
    assertCasts(cents, values(BigInteger.valueOf(25)), field(FLOAT16), values(0.25));
    assertRejects(cents, BigInteger.TEN, field(FLOAT64));
    Field wholes = field(new ArrowType.Decimal(76, 0, 256));
    assertCasts(wholes, values(BigInteger.TWO.pow(200)), field(FLOAT64), values(0x1p200));
    assertRejects(wholes, BigInteger.TWO.pow(200), field(FLOAT32));
    assertRejects(wholes, BigInteger.TWO.pow(53).add(BigInteger.ONE), field(FLOAT64));
    assertRejects(wholes, BigInteger.valueOf(70_000), field(FLOAT16));
    // A scale is any number of 32 bits.
    for (int scale : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, 400, -400}) {
      assertRejects(field(new ArrowType.Decimal(9, scale, 32)), BigInteger.ONE, field(FLOAT64));
    }
  }

  @Test
  void castsDecimalsWithoutLosingADigit() {
    Field cents = field(new ArrowType.Decimal(10, 2, 128));
    Field mills = field(new ArrowType.Decimal(12, 3, 256));
    Field wholes = field(new ArrowType.Decimal(5, 0, 32));
    Field thousands = field(new ArrowType.Decimal(5, -3, 64));
    assertCasts(
        cents,
        values(BigInteger.valueOf(-150), null),
        mills,
        values(BigInteger.valueOf(-1500), null));
    assertCasts(mills, values(BigInteger.valueOf(1500)), cents, values(BigInteger.valueOf(150)));
    assertCasts(field(INT64), values(7L, null), cents, values(BigInteger.valueOf(700), null));
    assertCasts(thousands, values(BigInteger.TWO), wholes, values(BigInteger.valueOf(2000)));
    Field sums = field(new ArrowType.Decimal(38, 0, 128));
    assertCasts(sums, values(BigInteger.valueOf(-7), null), field(INT32), values(-7L, null));
    assertCasts(
        sums, values(BigInteger.valueOf(Long.MIN_VALUE)), field(INT64), values(Long.MIN_VALUE));
    assertCasts(cents, values(BigInteger.valueOf(700)), field(INT64), values(7L));
    assertRejects(cents, BigInteger.valueOf(701), field(INT64));
    assertRejects(sums, BigInteger.ONE.shiftLeft(63), field(INT64));
    assertRejects(sums, BigInteger.ONE.shiftLeft(31), field(INT32));
    assertRejects(mills, BigInteger.valueOf(1501), cents);
    assertRejects(cents, BigInteger.valueOf(150), wholes);
    assertRejects(thousands, BigInteger.valueOf(100), wholes);
    assertRejects(field(INT64), 100_000L, wholes);
    assertRejects(field(INT64), 1_500L, thousands);
  }

  @Test
  void castsTimesOfOtherUnits() {
    Field days = field(new ArrowType.Date(DateUnit.DAY));
    Field milliseconds = field(new ArrowType.Date(DateUnit.MILLISECOND));
    Field micros = field(timestamp(TimeUnit.MICROSECOND, null));
    Field nanos = field(timestamp(TimeUnit.NANOSECOND, null));
    assertCasts(days, values(-1L, null), micros, values(-DAY, null));
    assertCasts(days, values(2L), milliseconds, values(172_800_000L));
    assertCasts(micros, values(DAY), days, values(1L));
    assertCasts(nanos, values(-1_000L), micros, values(-1L));
    assertRejects(micros, DAY + 1, days);
    assertRejects(nanos, 1L, micros);
    assertRejects(days, 2_000_000_000L, nanos);
    Field millis = field(timestamp(TimeUnit.MILLISECOND, null));
    assertCasts(millis, values(86_400_000L), milliseconds, values(86_400_000L));
    assertRejects(millis, 86_400_001L, milliseconds);
    assertRejects(millis, 3_600_000L, milliseconds);
    Field utc = field(timestamp(TimeUnit.SECOND, "UTC"));
    assertCasts(field(timestamp(TimeUnit.MILLISECOND, "+02:00")), values(1000L), utc, values(1L));
    assertThat(ExactCasts.of(micros, utc)).isNull();
    assertThat(ExactCasts.of(utc, micros)).isNull();
    assertThat(ExactCasts.of(days, utc)).isNull();
    assertThat(ExactCasts.of(utc, days)).isNull();
    assertCasts(
        field(new ArrowType.Time(TimeUnit.SECOND, 32)),
        values(5L),
        field(new ArrowType.Time(TimeUnit.NANOSECOND, 64)),
        values(5_000_000_000L));
    assertCasts(
        field(new ArrowType.Duration(TimeUnit.MILLISECOND)),
        values(5_000L),
        field(new ArrowType.Duration(TimeUnit.SECOND)),
        values(5L));
  }

  @Test
  void castsNullsToAnyTypeWithValidity() {
    Field struct = field(new ArrowType.Struct(), Field.of("a", false, INT32), field(UTF8));
    List<Field> all =
        List.of(
            field(UTF8),
            field(new ArrowType.Utf8View()),
            field(new ArrowType.Bool()),
            dictionary(UTF8, true),
            listOf(new ArrowType.List(), INT32),
            listOf(new ArrowType.FixedSizeList(3), INT32),
            listOf(new ArrowType.LargeListView(), INT32),
            struct);
    for (Field to : all) {
      assertCasts(NULLS, values(null, null, null), to, values(null, null, null));
    }
    Field run = field(new ArrowType.RunEndEncoded(), Field.of("r", false, INT32), field(UTF8));
    assertThat(ExactCasts.of(NULLS, run)).isNull();
    assertThat(ExactCasts.nulls(Field.of("c", false, INT32))).isNull();
  }

  @Test
  void pairsFieldsOfStructsByName() {
    Field from =
        field(new ArrowType.Struct(), Field.of("b", true, UTF8), Field.of("a", true, INT32));
    Field to =
        field(
            new ArrowType.Struct(),
            Field.of("a", true, INT64),
            Field.of("b", true, new ArrowType.LargeUtf8()),
            Field.of("more", true, FLOAT64));
    assertCasts(from, values(values("x", 1L), null), to, values(values(1L, "x", null), null));
    assertThat(ExactCasts.of(to, from)).isNull();
  }

  private static List<@Nullable Object> cast(ArrayData array, Field to, Arena arena) {
    Cast cast = requireNonNull(ExactCasts.of(array.field(), to));
    return new ArrayList<>(Values.of(cast.apply(array, dirty(arena))));
  }

  /// Neither children of null structs nor items of no list are values.
  @Test
  void castsNoSlotThatIsNoValue() {
    Field struct = field(new ArrowType.Struct(), Field.of("a", false, INT64));
    Field optional = field(new ArrowType.Struct(), Field.of("a", true, INT64));
    Field list = listOf(new ArrowType.LargeList(), INT64);
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> hidden = array(field(INT64), List.of(1L << 40, 1L), arena).buffers();
      MemorySegment secondOnly = arena.allocate(8, 8);
      secondOnly.set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
      ArrayData child = new ArrayData(struct.children().getFirst(), 2, 0, hidden, List.of(), null);
      ArrayData structs = new ArrayData(struct, 2, 1, List.of(secondOnly), List.of(child), null);
      ArrayData nullable = array(optional, values(null, List.of(1L)), arena);
      for (boolean isNullable : List.of(true, false)) {
        Field to = field(new ArrowType.Struct(), Field.of("a", isNullable, INT32));
        assertThat(cast(structs, to, arena)).isEqualTo(values(null, List.of(1L)));
        assertThat(cast(nullable, to, arena)).isEqualTo(values(null, List.of(1L)));
      }
      MemorySegment offsets = arena.allocate(16, 8);
      offsets.set(ValueLayout.JAVA_LONG, 0, 1);
      offsets.set(ValueLayout.JAVA_LONG, 8, 2);
      ArrayData items = new ArrayData(list.children().getFirst(), 2, 0, hidden, List.of(), null);
      ArrayData lists =
          new ArrayData(list, 1, 0, List.of(MemorySegment.NULL, offsets), List.of(items), null);
      assertThat(cast(lists, listOf(new ArrowType.List(), INT32), arena))
          .isEqualTo(values(List.of(1L)));
    }
  }

  @Test
  void keepsMeanings() {
    Field duration = field(new ArrowType.Duration(TimeUnit.SECOND));
    assertThat(ExactCasts.of(field(INT64), duration)).isNull();
    assertThat(ExactCasts.of(field(INT64), field(UTF8))).isNull();
    assertThat(ExactCasts.of(field(UTF8), field(new ArrowType.Binary()))).isNull();
    assertThat(ExactCasts.of(field(INT64), field(new ArrowType.Bool()))).isNull();
    assertThat(ExactCasts.of(field(UTF8), dictionary(UTF8, true))).isNull();
    Field json =
        field(UTF8)
            .withMetadata(
                Metadata.of(new KeyValue(Field.EXTENSION_NAME, ByteString.of("arrow.json"))));
    assertThat(ExactCasts.of(field(UTF8), json)).isNull();
    assertThat(ExactCasts.of(json, field(new ArrowType.LargeUtf8()))).isNull();
  }

  @Test
  void nullsDoNotFitAFieldWithoutThem() {
    Field required = Field.of("c", false, INT64);
    assertCasts(field(INT32), values(1L), required, values(1L));
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> cast(field(INT32), values(1L, null), required, arena))
          .isInstanceOf(InvalidCastException.class)
          .hasMessage("Expected a value but found null in column c");
      assertThatThrownBy(() -> cast(NULLS, values((Object) null), required, arena))
          .isInstanceOf(InvalidCastException.class);
      ArrayData indices = array(dictionary(INT32, false), values(1L), arena);
      ArrayData valueless = array(field(INT32), values((Object) null), arena);
      ArrayData encoded =
          new ArrayData(indices.field(), 1, 0, indices.buffers(), List.of(), valueless);
      assertThatThrownBy(() -> cast(encoded, required, arena))
          .isInstanceOf(InvalidCastException.class);
    }
  }

  /// A failure names its seed.
  @Test
  void decodesRandomDictionaries() {
    for (int seed : Trials.seeds(50)) {
      Random random = new Random(seed);
      List<@Nullable Object> texts = new ArrayList<>();
      for (int i = random.nextInt(500); i > 0; i--) {
        texts.add(random.nextInt(5) == 0 ? null : "value " + random.nextInt(100));
      }
      try (Arena arena = Arena.ofConfined()) {
        assertThat(cast(dictionary(UTF8, false), texts, field(new ArrowType.Utf8View()), arena))
            .as("seed " + seed)
            .isEqualTo(texts);
      }
    }
  }
}
