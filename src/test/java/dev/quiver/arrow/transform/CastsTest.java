package dev.quiver.arrow.transform;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
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

@Tag("random")
class CastsTest {

  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType UINT64 = new ArrowType.Int(64, false);
  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType LIST = new ArrowType.List();

  private static Field field(ArrowType type, Field... children) {
    return Field.of("c", true, type, children);
  }

  private static Field dictionary(int bitWidth, boolean signed, ArrowType type) {
    return field(type)
        .withDictionary(new DictionaryEncoding(0, new ArrowType.Int(bitWidth, signed), false));
  }

  private static ArrowType timestamp(TimeUnit unit, @Nullable String timezone) {
    return new ArrowType.Timestamp(unit, timezone);
  }

  /// Returns an allocator of non-zero memory, which exposes every byte that is not written.
  private static SegmentAllocator dirty(Arena arena) {
    return (byteSize, alignment) -> arena.allocate(byteSize, alignment).fill((byte) 0xA5);
  }

  private static ArrayData cast(
      Field from, List<? extends @Nullable Object> values, Field to, Arena arena) {
    ArrayData array = new ArrayBuilder(arena).array(from, values);
    ArrayData cast = requireNonNull(Casts.of(from, to)).apply(array, dirty(arena));
    assertThat(cast.field()).isEqualTo(to);
    RecordBatch batch = new RecordBatch(Schema.of(to), cast.length(), List.of(cast));
    assertThat(Validator.validate(batch, Level.VALUES)).as(from + " to " + to).isEmpty();
    return cast;
  }

  private static List<@Nullable Object> values(@Nullable Object... values) {
    return Collections.unmodifiableList(Arrays.<@Nullable Object>asList(values));
  }

  private static void assertCasts(
      Field from, List<?> values, Field to, List<? extends @Nullable Object> expected) {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(Values.of(cast(from, values, to, arena)))
          .as(from + " to " + to)
          .isEqualTo(expected);
    }
  }

  private static void assertRejects(Field from, Object value, Field to, String message) {
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> cast(from, values(null, value), to, arena))
          .isInstanceOf(InvalidCastException.class)
          .hasMessage(message);
    }
  }

  /// A failure names its seed.
  @Test
  void castsTheTypesOfParquetToAllOthers() {
    int castCount = 0;
    for (int seed : Trials.seeds(3000)) {
      RandomData data = new RandomData(seed);
      Random random = new Random(seed);
      Field to = data.field("c", 3);
      List<@Nullable Object> values = data.values(to, random.nextInt(70));
      Coarse coarse = Coarse.of(to);
      if (coarse == null || !coarse.mayHold(values)) {
        continue;
      }
      castCount++;
      try (Arena arena = Arena.ofConfined()) {
        ArrayData cast = cast(coarse.field(), coarse.values(values), to, arena);
        assertThat(Values.of(cast)).as("seed " + seed + ", " + to).isEqualTo(values);
      }
    }
    assertThat(castCount).isGreaterThan(Trials.of(1000));
  }

  @Test
  void castsIntegersWithinTheirRange() {
    Field from = field(INT64);
    assertCasts(
        from,
        values(-128L, null, 127L),
        field(new ArrowType.Int(8, true)),
        values(-128L, null, 127L));
    assertCasts(
        from, values(0L, 65_535L), field(new ArrowType.Int(16, false)), values(0L, 65_535L));
    BigInteger large = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    assertCasts(field(UINT64), values(large), field(UINT64), values(large));
    assertCasts(from, values(Long.MAX_VALUE), field(UINT64), values(Long.MAX_VALUE));
    assertRejects(
        from,
        128L,
        field(new ArrowType.Int(8, true)),
        "Expected a value of int8 but found 128 in column c");
    assertRejects(
        from,
        65_536L,
        field(new ArrowType.Int(16, false)),
        "Expected a value of uint16 but found 65536 in column c");
    assertRejects(from, -1L, field(UINT64), "Expected a value of uint64 but found -1 in column c");
    assertRejects(
        field(UINT64),
        large,
        field(INT64),
        "Expected a value of int64 but found 18446744073709551615 in column c");
  }

  @Test
  void castsUnitsOfTimeWithoutRounding() {
    Field microseconds = field(timestamp(TimeUnit.MICROSECOND, "UTC"));
    assertCasts(
        microseconds,
        values(-3_000_000L, null),
        field(timestamp(TimeUnit.SECOND, "Europe/Zurich")),
        values(-3L, null));
    assertCasts(
        microseconds, values(-3L), field(timestamp(TimeUnit.NANOSECOND, null)), values(-3_000L));
    assertRejects(
        microseconds,
        1_500L,
        field(timestamp(TimeUnit.MILLISECOND, null)),
        "Expected a multiple of 1000 but found 1500 in column c");
    assertRejects(
        microseconds,
        Long.MAX_VALUE / 500,
        field(timestamp(TimeUnit.NANOSECOND, null)),
        "Expected a value of timestamp[ns] but found 18446744073709551 in column c");
    assertRejects(
        field(new ArrowType.Time(TimeUnit.MICROSECOND, 64)),
        3_000_000_000_000L,
        field(new ArrowType.Time(TimeUnit.MILLISECOND, 32)),
        "Expected a value of time32[ms] but found 3000000000000 in column c");
    assertCasts(
        field(new ArrowType.Date(DateUnit.DAY)),
        values(-1L),
        field(new ArrowType.Date(DateUnit.MILLISECOND)),
        values(-86_400_000L));
  }

  @Test
  void castsFloatsOfHalfPrecision() {
    Field from = field(new ArrowType.FloatingPoint(Precision.SINGLE));
    Field to = field(new ArrowType.FloatingPoint(Precision.HALF));
    List<@Nullable Object> values =
        values(-0.0, null, 1.5, Double.NaN, Double.POSITIVE_INFINITY, 65_504.0);
    assertCasts(from, values, to, values);
    assertRejects(from, 65_520.0, to, "Expected a value of float16 but found 65520.0 in column c");
    assertRejects(from, 0.1f, to, "Expected a value of float16 but found 0.1 in column c");
  }

  @Test
  void castsDecimalsOfTheSameDigits() {
    Field from = field(new ArrowType.Decimal(9, 2, 128));
    List<@Nullable Object> values =
        values(BigInteger.valueOf(-999_999_999), null, BigInteger.valueOf(999_999_999));
    assertCasts(from, values, field(new ArrowType.Decimal(9, 2, 32)), values);
    assertCasts(from, values, field(new ArrowType.Decimal(50, 2, 256)), values);
    assertThat(Casts.of(from, field(new ArrowType.Decimal(9, 3, 32)))).isNull();
    assertThat(Casts.of(from, field(new ArrowType.Decimal(8, 2, 32)))).isNull();
  }

  @Test
  void castsBytesOfOneSize() {
    Field from = field(new ArrowType.Binary());
    assertRejects(
        from,
        ByteString.of("abc"),
        field(new ArrowType.FixedSizeBinary(2)),
        "Expected 2 bytes but found 3 in column c");
  }

  @Test
  void castsListsOfOneSize() {
    Field item = Field.of("item", true, INT64);
    Field to = field(new ArrowType.FixedSizeList(2), Field.of("x", true, INT64));
    assertCasts(
        field(LIST, item),
        values(List.of(1L, 2L), null, Arrays.asList(null, 4L)),
        to,
        values(List.of(1L, 2L), null, Arrays.asList(null, 4L)));
    assertRejects(
        field(LIST, item), List.of(1L), to, "Expected lists of 2 items but found 1 in column c");
  }

  @Test
  void castsValuesToDictionariesInTheOrderOfTheirAppearance() {
    try (Arena arena = Arena.ofConfined()) {
      Field to = dictionary(8, false, new ArrowType.Utf8View());
      ArrayData cast = cast(field(UTF8), values("b", null, "a", "b", "a longer text"), to, arena);
      assertThat(Values.of(cast)).isEqualTo(values("b", null, "a", "b", "a longer text"));
      assertThat(Values.of(requireNonNull(cast.dictionary())))
          .isEqualTo(values("b", "a", "a longer text"));
    }
    List<@Nullable Object> many = new ArrayList<>();
    for (long i = 0; i < 129; i++) {
      many.add(i);
    }
    assertCasts(
        field(INT64), many.subList(0, 128), dictionary(8, true, INT64), many.subList(0, 128));
    assertCasts(field(INT64), many, dictionary(8, false, INT64), many);
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> cast(field(INT64), many, dictionary(8, true, INT64), arena))
          .isInstanceOf(InvalidCastException.class)
          .hasMessage("Expected at most 128 distinct values but found another one in column c");
    }
  }

  @Test
  void castsNullsAlone() {
    Field nulls = field(new ArrowType.Null());
    assertCasts(field(INT64), values(null, null), nulls, values(null, null));
    assertCasts(
        field(INT64),
        values(null, null),
        dictionary(8, true, new ArrowType.Null()),
        values(null, null));
    assertRejects(field(INT64), 1L, nulls, "Expected nulls alone but found 1 values in column c");
  }

  @Test
  void doesNotCastTypesOfOtherKinds() {
    for (Map.Entry<Field, Field> pair :
        Map.of(
                field(UTF8), field(new ArrowType.FloatingPoint(Precision.DOUBLE)),
                field(INT64), field(UTF8),
                field(new ArrowType.FloatingPoint(Precision.DOUBLE)),
                    field(new ArrowType.FloatingPoint(Precision.SINGLE)),
                field(LIST, Field.of("item", true, INT64)),
                    field(LIST, Field.of("item", true, UTF8)),
                field(new ArrowType.Struct(), Field.of("a", true, UTF8)),
                    field(new ArrowType.Struct()),
                field(new ArrowType.Binary()), field(UTF8))
            .entrySet()) {
      assertThat(Casts.of(pair.getKey(), pair.getValue())).as(pair.toString()).isNull();
    }
  }
}
