package dev.quiver.arrow.array;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.ArrowTypes;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that every type accepts its values, returns them, and rejects those that do not fit.
/// [SpecificationExamplesTest] covers the exact bytes, `RandomRoundTripTest` random nested schemas.
class ArrayBuilderTest {

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void close() {
    arena.close();
  }

  static Stream<Arguments> everyType() {
    return Stream.of(
        column(new ArrowType.Null(), asList(null, null)),
        column(new ArrowType.Bool(), asList(true, null, false)),
        column(new ArrowType.Int(8, true), asList(-128L, null, 127L)),
        column(new ArrowType.Int(8, false), asList(0L, null, 255L)),
        column(new ArrowType.Int(16, true), asList(-32768L, null, 32767L)),
        column(new ArrowType.Int(16, false), asList(0L, null, 65535L)),
        column(new ArrowType.Int(32, true), asList(-2147483648L, null, 2147483647L)),
        column(new ArrowType.Int(32, false), asList(0L, null, 4294967295L)),
        column(new ArrowType.Int(64, true), asList(Long.MIN_VALUE, null, Long.MAX_VALUE)),
        column(
            new ArrowType.Int(64, false),
            asList(0L, null, BigInteger.TWO.pow(64).subtract(BigInteger.ONE))),
        column(new ArrowType.FloatingPoint(Precision.HALF), asList(-1.5, null, 65504.0)),
        column(
            new ArrowType.FloatingPoint(Precision.SINGLE),
            asList(0.5, null, Double.NaN, Double.NEGATIVE_INFINITY)),
        column(new ArrowType.FloatingPoint(Precision.DOUBLE), asList(0.1, null, -0.0)),
        column(new ArrowType.Decimal(9, 2, 32), asList(big("-999999999"), null, big("1"))),
        column(new ArrowType.Decimal(18, -2, 64), asList(big("999999999999999999"), null)),
        column(new ArrowType.Decimal(38, 0, 128), asList(big("-" + "9".repeat(38)), null)),
        column(new ArrowType.Decimal(76, 5, 256), asList(big("-" + "9".repeat(76)), null)),
        column(new ArrowType.Date(DateUnit.DAY), asList(-1L, null, 20000L)),
        column(new ArrowType.Date(DateUnit.MILLISECOND), asList(-86400000L, null)),
        column(new ArrowType.Time(TimeUnit.SECOND, 32), asList(0L, null, 86399L)),
        column(new ArrowType.Time(TimeUnit.NANOSECOND, 64), asList(0L, null, 86399999999999L)),
        column(new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"), asList(-1L, null, 1L << 60)),
        column(new ArrowType.Duration(TimeUnit.SECOND), asList(-1L, null, 1L << 60)),
        column(new ArrowType.Interval(IntervalUnit.YEAR_MONTH), asList(-14L, null)),
        column(
            new ArrowType.Interval(IntervalUnit.DAY_TIME),
            asList(new IntervalValue.DayTime(-3, 7), null)),
        column(
            new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO),
            asList(new IntervalValue.MonthDayNano(1, -2, 1L << 60), null)),
        column(new ArrowType.FixedSizeBinary(3), asList(bytes("abc"), null)),
        column(new ArrowType.FixedSizeBinary(0), asList(bytes(""), null)),
        column(new ArrowType.Binary(), asList(bytes("joe"), null, bytes(""))),
        column(new ArrowType.LargeBinary(), asList(bytes("joe"), null, bytes(""))),
        column(new ArrowType.BinaryView(), asList(bytes("joe"), null, bytes("thirteen byte"))),
        column(new ArrowType.Utf8(), asList("Grüße", null, "")),
        column(new ArrowType.LargeUtf8(), asList("😀", null, "")),
        column(new ArrowType.Utf8View(), asList("twelve bytes", null, "", "thirteen byte")),
        column(new ArrowType.List(), lists(), int32("item")),
        column(new ArrowType.LargeList(), lists(), int32("item")),
        column(new ArrowType.ListView(), lists(), int32("item")),
        column(new ArrowType.LargeListView(), lists(), int32("item")),
        column(new ArrowType.FixedSizeList(2), asList(asList(1L, null), null), int32("item")),
        column(new ArrowType.FixedSizeList(0), asList(List.of(), null), int32("item")),
        column(
            new ArrowType.Struct(),
            asList(asList(1L, "a"), null, asList(null, null)),
            int32("a"),
            text("b")),
        column(new ArrowType.Struct(), asList(List.of(), null)),
        column(
            new ArrowType.Map(false),
            asList(List.of(List.of("k", 1L), asList("l", null)), null, List.of()),
            Field.of(
                "entries",
                false,
                new ArrowType.Struct(),
                Field.of("key", false, new ArrowType.Utf8()),
                int32("value"))),
        column(union(UnionMode.SPARSE), unionValues(), int32("i"), text("s")),
        column(union(UnionMode.DENSE), unionValues(), int32("i"), text("s")),
        column(
            new ArrowType.RunEndEncoded(),
            asList("a", "a", null, null, "b", "a"),
            Field.of("run_ends", false, new ArrowType.Int(16, true)),
            text("values")));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void valuesRoundTrip(Field field, List<Object> values) {
    assertThat(Values.of(new ArrayBuilder(arena).array(field, values))).isEqualTo(values);
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void valuesInsideNullableStructsRoundTrip(Field field, List<Object> values) {
    Field struct = Field.of("s", true, new ArrowType.Struct(), field, int32("other"));
    List<Object> tuples =
        Stream.concat(
                Stream.of((Object) null), values.stream().map(value -> (Object) asList(value, 1L)))
            .toList();

    assertThat(Values.of(new ArrayBuilder(arena).array(struct, asList(tuples.toArray()))))
        .isEqualTo(tuples);
  }

  @Test
  void samplesCoverEveryType() {
    Stream<Object> tested =
        everyType()
            .map(arguments ->
                ((Field) Objects.requireNonNull(arguments.get()[0])).type().getClass());

    assertThat(tested.distinct()).containsExactlyInAnyOrder((Object[]) ArrowTypes.all());
  }

  @Test
  void fieldsWithTheSameDictionaryIdShareTheDictionary() {
    DictionaryEncoding encoding = new DictionaryEncoding(7, new ArrowType.Int(8, false), false);
    Field plain = text("a").withDictionary(encoding);
    Field list = Field.of("b", true, new ArrowType.List(), plain);
    ArrayBuilder builder = new ArrayBuilder(arena, Map.of(7L, asList("x", "y", null, "x")));

    ArrayData values = builder.array(plain, asList("y", null, "x", new DictionaryIndex(3)));
    ArrayData lists = builder.array(list, List.of(List.of("y", "y")));

    assertThat(Values.of(values)).containsExactly("y", null, "x", "x");
    assertThat(values.buffer(BufferRole.DATA).toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(1, 0, 0, 3);
    assertThat(Values.of(lists)).containsExactly(List.of("y", "y"));
    assertThat(lists.children().getFirst().dictionary()).isSameAs(values.dictionary());
  }

  @Test
  void nonNullableChildrenOfANullStructAreZero() {
    Field child = Field.of("c", false, new ArrowType.Int(32, true));
    Field struct = Field.of("s", true, new ArrowType.Struct(), child);

    ArrayData data = new ArrayBuilder(arena).array(struct, asList(List.of(5L), null));

    assertThat(Values.of(data.children().getFirst())).containsExactly(5L, 0L);
    assertThat(data.nullCount()).isEqualTo(1);
  }

  @Test
  void longValuesOfViewsFillOneDataBufferAfterAnother() {
    String half = "h".repeat(ArrayBuilder.VIEW_BUFFER_BYTE_SIZE / 2);
    String huge = "H".repeat(ArrayBuilder.VIEW_BUFFER_BYTE_SIZE + 1);
    List<Object> values = List.of(half, half, "one more byte", huge, "inline", half);

    ArrayData data =
        new ArrayBuilder(arena).array(Field.of("v", false, new ArrowType.Utf8View()), values);

    assertThat(Values.of(data)).isEqualTo(values);
    assertThat(data.variadicBuffers().stream().map(MemorySegment::byteSize))
        .containsExactly(65536L, 13L, 65537L, 32768L);
  }

  @Test
  void zeroesPaddingOfMemoryFromADirtyAllocator() {
    MemorySegment dirty = arena.allocate(64, 64).fill((byte) 0xFF);
    ArrayData data =
        new ArrayBuilder((byteSize, byteAlignment) -> dirty.asSlice(0, byteSize))
            .array(Field.of("b", false, new ArrowType.Int(8, true)), List.of(1));

    assertThat(data.buffer(BufferRole.DATA).byteSize()).isEqualTo(1);
    assertThat(dirty.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(1);
  }

  @Test
  void scalesBigDecimals() {
    ArrayData data =
        new ArrayBuilder(arena)
            .array(
                Field.of("d", false, new ArrowType.Decimal(5, 2, 128)),
                List.of(new BigDecimal("1.5"), new BigDecimal("-7")));

    assertThat(Values.of(data)).containsExactly(big("150"), big("-700"));
  }

  static Stream<Arguments> misfits() {
    return Stream.of(
        misfit(new ArrowType.Int(8, true), 128, "an integer of 8 bits but found 128"),
        misfit(new ArrowType.Int(8, true), -129L, "an integer of 8 bits but found -129"),
        misfit(
            new ArrowType.Int(16, false), -1, "an integer of 16 bits without a sign but found -1"),
        misfit(
            new ArrowType.Int(64, false),
            BigInteger.TWO.pow(64),
            "an integer of 64 bits without a sign but found 18446744073709551616"),
        misfit(new ArrowType.Int(32, true), 1.0, "an integer of 32 bits but found 1.0"),
        misfit(
            new ArrowType.FloatingPoint(Precision.HALF),
            65520.0,
            "a float of 16 bits but found 65520.0"),
        misfit(
            new ArrowType.FloatingPoint(Precision.SINGLE),
            1e39,
            "a float of 32 bits but found 1.0E39"),
        misfit(new ArrowType.FloatingPoint(Precision.DOUBLE), 1, "a float or double but found 1"),
        misfit(new ArrowType.Decimal(3, 1, 32), big("1000"), "at most 3 digits but found 1000"),
        misfit(
            new ArrowType.Decimal(3, 1, 32),
            new BigDecimal("0.01"),
            "a decimal of scale 1 but found 0.01"),
        misfit(new ArrowType.Bool(), 1, "a boolean but found 1"),
        misfit(new ArrowType.FixedSizeBinary(2), bytes("abc"), "2 bytes but found 3"),
        misfit(
            new ArrowType.Utf8(),
            "\ud800",
            "whole surrogate pairs but found java.nio.charset.MalformedInputException: Input length = 1"),
        misfit(new ArrowType.Binary(), "text", "a byte[] or ByteString but found text"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void rejectsAValueThatDoesNotFitTheType(ArrowType type, Object value, String message) {
    Field field = Field.of("f", true, type);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ArrayBuilder(arena).array(field, asList(null, value)))
        .withMessage("Expected " + message + " at slot 1 of f: " + type);
  }

  @Test
  void rejectsNullInANonNullableField() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new ArrayBuilder(arena)
                .array(Field.of("f", false, new ArrowType.Bool()), asList(true, null)))
        .withMessage("Expected a value but found null at slot 1 of f: bool not null");
  }

  @Test
  void rejectsAnUnknownUnionTypeId() {
    Field field = Field.of("u", true, union(UnionMode.DENSE), int32("i"), text("s"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ArrayBuilder(arena).array(field, List.of(new UnionValue(0, 1))))
        .withMessage(
            "Expected a type id of [5, 7] but found 0 at slot 0 of u: "
                + "dense_union<i: int32, s: utf8>");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ArrayBuilder(arena).array(field, asList((Object) null)))
        .withMessage(
            "Expected a UnionValue but found null at slot 0 of u: "
                + "dense_union<i: int32, s: utf8>");
  }

  @Test
  void rejectsAValueMissingFromTheDictionary() {
    Field field =
        text("a").withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false));

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new ArrayBuilder(arena, Map.of(7L, List.of("x"))).array(field, List.of("y")))
        .withMessage(
            "Expected a value of dictionary 7 but found y at slot 0 of a: dictionary<int8, utf8>");
  }

  @Test
  void rejectsColumnsOfUnequalLength() {
    Schema schema = Schema.of(int32("a"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ArrayBuilder(arena).recordBatch(schema, 2, List.of(List.of(1))))
        .withMessage("Expected 2 values of a but found 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ArrayBuilder(arena).recordBatch(schema, 2, List.of()))
        .withMessage("Expected 1 columns but found 0");
  }

  private static Arguments column(ArrowType type, List<?> values, Field... children) {
    return Arguments.of(Field.of("f", true, type, children), values);
  }

  private static Arguments misfit(ArrowType type, Object value, String message) {
    return Arguments.of(type, value, message);
  }

  private static Field int32(String name) {
    return Field.of(name, true, new ArrowType.Int(32, true));
  }

  private static Field text(String name) {
    return Field.of(name, true, new ArrowType.Utf8());
  }

  private static ArrowType union(UnionMode mode) {
    return new ArrowType.Union(mode, List.of(5, 7));
  }

  private static List<Object> unionValues() {
    return List.of(
        new UnionValue(7, "a"),
        new UnionValue(5, 1L),
        new UnionValue(7, null),
        new UnionValue(7, "b"));
  }

  private static List<List<Long>> lists() {
    return asList(asList(1L, null), null, List.of(), List.of(3L));
  }

  private static BigInteger big(String digits) {
    return new BigInteger(digits);
  }

  private static ByteString bytes(String text) {
    return ByteString.of(text);
  }
}
