package dev.quiver.arrow.array;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests every worked example of the columnar specification, from bytes to values and back. Bytes
/// that the specification leaves undefined are zero here, as in our writer.
/// `SpecificationMessagesTest` covers the examples of the IPC format.
class SpecificationExamplesTest {

  private static final ArrowType INT8 = new ArrowType.Int(8, true);
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType FLOAT32 = new ArrowType.FloatingPoint(Precision.SINGLE);
  private static final MemorySegment ABSENT = MemorySegment.NULL;

  @Test
  void validityBitmap() {
    List<Object> values = asList(0L, 1L, null, 2L, null, 3L);
    ArrayData array =
        array(field(INT32), 6, 2, List.of(bits("00101011"), int32s(0, 1, 0, 2, 0, 3)));

    assertBothWays(array, values);
    assertThat(Bitmaps.countSet(array.buffer(BufferRole.VALIDITY), 6)).isEqualTo(4);
  }

  @Test
  void int32Array() {
    assertBothWays(
        array(field(INT32), 5, 1, List.of(bits("00011101"), int32s(1, 0, 2, 4, 8))),
        asList(1L, null, 2L, 4L, 8L));
  }

  @Test
  void int32ArrayWithoutNullsOrBitmap() {
    assertBothWays(
        array(field(INT32), 5, 0, List.of(ABSENT, int32s(1, 2, 3, 4, 8))),
        List.of(1L, 2L, 3L, 4L, 8L));
  }

  @Test
  void int32ArrayWithoutNullsWithBitmap() {
    ArrayData array = array(field(INT32), 5, 0, List.of(bits("00011111"), int32s(1, 2, 3, 4, 8)));

    assertThat(Values.of(array)).containsExactly(1L, 2L, 3L, 4L, 8L);
  }

  @Test
  void variableBinaryArray() {
    assertBothWays(
        array(
            field(new ArrowType.Binary()),
            4,
            2,
            List.of(bits("00001001"), int32s(0, 3, 3, 3, 7), text("joemark"))),
        asList(binary("joe"), null, null, binary("mark")));
  }

  @Test
  void largeVariableBinaryArray() {
    assertBothWays(
        array(
            field(new ArrowType.LargeBinary()),
            4,
            2,
            List.of(bits("00001001"), int64s(0, 3, 3, 3, 7), text("joemark"))),
        asList(binary("joe"), null, null, binary("mark")));
  }

  /// The specification draws a short view (length, data padded with 0) and a long one (length,
  /// prefix, buffer index, offset).
  @Test
  void viewArray() {
    MemorySegment views =
        hex(
            """
            03000000 6a6f6500 00000000 00000000
            0c000000 6e6f7420 61207477 656c7665
            0d000000 74686972 00000000 00000000
            00000000 00000000 00000000 00000000
            10000000 666f7572 00000000 0d000000\
            """);
    MemorySegment data = text("thirteen bytefourteen & more!");
    List<Object> values = asList("joe", "not a twelve", "thirteen byte", null, "fourteen & more!");

    assertBothWays(
        array(field(new ArrowType.Utf8View()), 5, 1, List.of(bits("00010111"), views, data)),
        values);
  }

  @Test
  void viewArrayWithDataBuffersOutOfOrder() {
    MemorySegment views =
        hex(
            """
            0d000000 74686972 01000000 02000000
            0d000000 74686972 01000000 02000000
            0e000000 2d666f75 00000000 00000000\
            """);
    ArrayData array =
        array(
            field(new ArrowType.BinaryView()),
            3,
            0,
            List.of(ABSENT, views, text("-fourteen byte"), text("..thirteen byte..")));

    assertThat(Values.of(array))
        .containsExactly(
            binary("thirteen byte"), binary("thirteen byte"), binary("-fourteen byte"));
  }

  @Test
  void listArray() {
    ArrayData items = array(item(INT8), 7, 0, List.of(ABSENT, int8s(12, -7, 25, 0, -127, 127, 50)));

    assertBothWays(
        array(
            field(new ArrowType.List(), item(INT8)),
            4,
            1,
            List.of(bits("00001101"), int32s(0, 3, 3, 7, 7)),
            items),
        listValues());
    assertBothWays(
        array(
            field(new ArrowType.LargeList(), item(INT8)),
            4,
            1,
            List.of(bits("00001101"), int64s(0, 3, 3, 7, 7)),
            items),
        listValues());
  }

  @Test
  void listOfListArray() {
    Field inner = Field.of("item", true, new ArrowType.List(), item(INT8));
    ArrayData bytes =
        array(item(INT8), 10, 0, List.of(ABSENT, int8s(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)));
    ArrayData lists =
        array(inner, 6, 1, List.of(bits("00110111"), int32s(0, 2, 4, 7, 7, 8, 10)), bytes);

    assertBothWays(
        array(field(new ArrowType.List(), inner), 3, 0, List.of(ABSENT, int32s(0, 2, 5, 6)), lists),
        List.of(
            List.of(List.of(1L, 2L), List.of(3L, 4L)),
            asList(List.of(5L, 6L, 7L), null, List.of(8L)),
            List.of(List.of(9L, 10L))));
  }

  /// The start of an empty list is unspecified; the example and our writer differ.
  @Test
  void listViewArray() {
    Field field = field(new ArrowType.ListView(), item(INT8));
    ArrayData items = array(item(INT8), 7, 0, List.of(ABSENT, int8s(12, -7, 25, 0, -127, 127, 50)));
    MemorySegment validity = bits("00001101");
    MemorySegment sizes = int32s(3, 0, 4, 0);

    assertThat(Values.of(array(field, 4, 1, List.of(validity, int32s(0, 7, 3, 0), sizes), items)))
        .isEqualTo(listValues());
    assertBothWays(
        array(field, 4, 1, List.of(validity, int32s(0, 3, 3, 7), sizes), items), listValues());
  }

  /// The specification states a length of 4, although the example has five slots.
  @Test
  void listViewArrayOutOfOrder() {
    ArrayData items = array(item(INT8), 7, 0, List.of(ABSENT, int8s(0, -127, 127, 50, 12, -7, 25)));

    assertThat(
            Values.of(
                array(
                    field(new ArrowType.ListView(), item(INT8)),
                    5,
                    1,
                    List.of(bits("00011101"), int32s(4, 7, 0, 0, 3), int32s(3, 0, 4, 0, 2)),
                    items)))
        .containsExactly(
            List.of(12L, -7L, 25L),
            null,
            List.of(0L, -127L, 127L, 50L),
            List.of(),
            List.of(50L, 12L));
  }

  @Test
  void largeListViewArrayOutOfOrder() {
    ArrayData items = array(item(INT8), 3, 0, List.of(ABSENT, int8s(1, 2, 3)));

    assertThat(
            Values.of(
                array(
                    field(new ArrowType.LargeListView(), item(INT8)),
                    3,
                    0,
                    List.of(ABSENT, int64s(1, 0, 3), int64s(2, 2, 0)),
                    items)))
        .containsExactly(List.of(2L, 3L), List.of(1L, 2L), List.of());
  }

  @Test
  void fixedSizeListArray() {
    Field octet = Field.of("item", false, new ArrowType.Int(8, false));
    ArrayData octets =
        array(
            octet,
            16,
            0,
            List.of(ABSENT, int8s(192, 168, 0, 12, 0, 0, 0, 0, 192, 168, 0, 25, 192, 168, 0, 1)));

    assertBothWays(
        array(
            field(new ArrowType.FixedSizeList(4), octet), 4, 1, List.of(bits("00001101")), octets),
        asList(
            List.of(192L, 168L, 0L, 12L),
            null,
            List.of(192L, 168L, 0L, 25L),
            List.of(192L, 168L, 0L, 1L)));
  }

  @Test
  void structArrayHidesChildrenOfNullSlots() {
    Field name = Field.of("name", true, new ArrowType.Binary());
    Field age = Field.of("age", true, INT32);
    ArrayData names =
        array(name, 4, 1, List.of(bits("00001101"), int32s(0, 3, 3, 8, 12), text("joealicemark")));
    ArrayData ages = array(age, 4, 1, List.of(bits("00001011"), int32s(1, 2, 0, 4)));
    ArrayData structs =
        array(
            field(new ArrowType.Struct(), name, age), 4, 1, List.of(bits("00001011")), names, ages);

    assertBothWays(names, asList(binary("joe"), null, binary("alice"), binary("mark")));
    assertBothWays(ages, asList(1L, 2L, null, 4L));
    List<Object> values =
        asList(asList(binary("joe"), 1L), asList(null, 2L), null, asList(binary("mark"), 4L));
    assertThat(Values.of(structs)).isEqualTo(values);

    ArrayData named =
        array(name, 4, 2, List.of(bits("00001001"), int32s(0, 3, 3, 3, 7), text("joemark")));
    assertBothWays(array(structs.field(), 4, 1, List.of(bits("00001011")), named, ages), values);
  }

  @Test
  void denseUnionArray() {
    Field f = Field.of("f", true, FLOAT32);
    Field i = Field.of("i", true, INT32);

    assertBothWays(
        array(
            field(new ArrowType.Union(UnionMode.DENSE, List.of(0, 1)), f, i),
            4,
            0,
            List.of(int8s(0, 0, 0, 1), int32s(0, 1, 2, 0)),
            array(f, 3, 1, List.of(bits("00000101"), float32s(1.2f, 0, 3.4f))),
            array(i, 1, 0, List.of(ABSENT, int32s(5)))),
        List.of(
            new UnionValue(0, (double) 1.2f),
            new UnionValue(0, null),
            new UnionValue(0, (double) 3.4f),
            new UnionValue(1, 5L)));
  }

  @Test
  void sparseUnionArray() {
    Field i = Field.of("i", true, INT32);
    Field f = Field.of("f", true, FLOAT32);
    Field s = Field.of("s", true, new ArrowType.Binary());

    assertBothWays(
        array(
            field(new ArrowType.Union(UnionMode.SPARSE, List.of(0, 1, 2)), i, f, s),
            6,
            0,
            List.of(int8s(0, 1, 2, 1, 0, 2)),
            array(i, 6, 4, List.of(bits("00010001"), int32s(5, 0, 0, 0, 4, 0))),
            array(f, 6, 4, List.of(bits("00001010"), float32s(0, 1.2f, 0, 3.4f, 0, 0))),
            array(
                s, 6, 4, List.of(bits("00100100"), int32s(0, 0, 0, 3, 3, 3, 7), text("joemark")))),
        List.of(
            new UnionValue(0, 5L),
            new UnionValue(1, (double) 1.2f),
            new UnionValue(2, binary("joe")),
            new UnionValue(1, (double) 3.4f),
            new UnionValue(0, 4L),
            new UnionValue(2, binary("mark"))));
  }

  @Test
  void nullArray() {
    assertBothWays(array(field(new ArrowType.Null()), 3, 3, List.of()), asList(null, null, null));
  }

  @Test
  void dictionaryEncodedArray() {
    assertBothWays(
        dictionaryEncoded(
            1,
            List.of(bits("00101111"), int32s(0, 1, 0, 1, 0, 2)),
            array(
                field(new ArrowType.Binary()),
                3,
                0,
                List.of(ABSENT, int32s(0, 3, 6, 9), text("foobarbaz")))),
        asList(binary("foo"), binary("bar"), binary("foo"), binary("bar"), null, binary("baz")));
  }

  @Test
  void dictionaryWithDuplicatesAndNull() {
    ArrayData array =
        dictionaryEncoded(
            0,
            List.of(ABSENT, int32s(0, 1, 3, 1, 4, 2)),
            array(
                field(new ArrowType.Binary()),
                5,
                1,
                List.of(bits("00001111"), int32s(0, 3, 6, 9, 12, 12), text("foobarbazfoo"))));

    assertThat(Values.of(array))
        .containsExactly(
            binary("foo"), binary("bar"), binary("foo"), binary("bar"), null, binary("baz"));
    ArrayData built =
        new ArrayBuilder(Arena.ofAuto(), dictionary(array))
            .array(
                array.field(), List.of(index(0), index(1), index(3), index(1), index(4), index(2)));
    assertThat(Physical.of(built)).isEqualTo(Physical.of(array));
  }

  @Test
  void runEndEncodedArray() {
    Field runEnds = Field.of("run_ends", false, INT32);
    Field values = Field.of("values", true, FLOAT32);

    assertBothWays(
        array(
            field(new ArrowType.RunEndEncoded(), runEnds, values),
            7,
            0,
            List.of(),
            array(runEnds, 3, 0, List.of(ABSENT, int32s(4, 6, 7))),
            array(values, 3, 1, List.of(bits("00000101"), float32s(1, 0, 2)))),
        asList(1.0, 1.0, 1.0, 1.0, null, null, 2.0));
  }

  private static void assertBothWays(ArrayData array, List<?> values) {
    assertThat(Values.of(array)).isEqualTo(values);
    ArrayData built =
        new ArrayBuilder(Arena.ofAuto(), dictionary(array)).array(array.field(), values);
    assertThat(Physical.of(built)).isEqualTo(Physical.of(array));
  }

  private static Map<Long, List<@Nullable Object>> dictionary(ArrayData array) {
    DictionaryEncoding encoding = array.field().dictionary();
    return encoding == null || array.dictionary() == null
        ? Map.of()
        : Map.of(encoding.id(), Values.of(array.dictionary()));
  }

  /// The complete physical content of an array, for comparison.
  private record Physical(
      String field,
      long length,
      long nullCount,
      List<String> buffers,
      List<Physical> children,
      @Nullable Physical dictionary) {

    static Physical of(ArrayData array) {
      return new Physical(
          array.field().toString(),
          array.length(),
          array.nullCount(),
          array.buffers().stream()
              .map(buffer -> HexFormat.of().formatHex(buffer.toArray(LittleEndian.INT8)))
              .toList(),
          array.children().stream().map(Physical::of).toList(),
          array.dictionary() == null ? null : of(array.dictionary()));
    }
  }

  private static ArrayData dictionaryEncoded(
      long nullCount, List<MemorySegment> buffers, ArrayData dictionary) {
    Field field =
        field(new ArrowType.Binary())
            .withDictionary(new DictionaryEncoding(0, new ArrowType.Int(32, true), false));
    return new ArrayData(field, 6, nullCount, buffers, List.of(), dictionary);
  }

  private static ArrayData array(
      Field field,
      long length,
      long nullCount,
      List<MemorySegment> buffers,
      ArrayData... children) {
    return new ArrayData(field, length, nullCount, buffers, List.of(children), null);
  }

  private static Field field(ArrowType type, Field... children) {
    return Field.of("f", true, type, children);
  }

  private static Field item(ArrowType type) {
    return Field.of("item", true, type);
  }

  private static List<List<Long>> listValues() {
    return asList(List.of(12L, -7L, 25L), null, List.of(0L, -127L, 127L, 50L), List.of());
  }

  private static DictionaryIndex index(long index) {
    return new DictionaryIndex(index);
  }

  private static ByteString binary(String text) {
    return ByteString.of(text);
  }

  /// Returns one byte of a bitmap as the specification prints it: the last bit first.
  private static MemorySegment bits(String lastBitFirst) {
    return MemorySegment.ofArray(new byte[] {(byte) Integer.parseInt(lastBitFirst, 2)});
  }

  private static MemorySegment hex(String digits) {
    return MemorySegment.ofArray(HexFormat.of().parseHex(digits.replaceAll("\\s", "")));
  }

  private static MemorySegment text(String text) {
    return MemorySegment.ofArray(ByteString.of(text).toByteArray());
  }

  private static MemorySegment int8s(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return MemorySegment.ofArray(bytes);
  }

  private static MemorySegment int32s(int... values) {
    MemorySegment segment = MemorySegment.ofArray(new byte[values.length * Integer.BYTES]);
    for (int i = 0; i < values.length; i++) {
      segment.set(LittleEndian.INT32, i * 4L, values[i]);
    }
    return segment;
  }

  private static MemorySegment int64s(long... values) {
    MemorySegment segment = MemorySegment.ofArray(new byte[values.length * Long.BYTES]);
    for (int i = 0; i < values.length; i++) {
      segment.set(LittleEndian.INT64, i * 8L, values[i]);
    }
    return segment;
  }

  private static MemorySegment float32s(float... values) {
    MemorySegment segment = MemorySegment.ofArray(new byte[values.length * Float.BYTES]);
    for (int i = 0; i < values.length; i++) {
      segment.set(LittleEndian.FLOAT32, i * 4L, values[i]);
    }
    return segment;
  }
}
