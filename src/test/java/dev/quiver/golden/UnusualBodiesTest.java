package dev.quiver.golden;

import static dev.quiver.golden.HandBuilt.int32s;
import static dev.quiver.golden.HandBuilt.int64s;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Arrays.asList;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests bodies that the specification allows but few writers produce. The schema determines the
/// arrays, the nodes their lengths, and the buffers their positions; other bytes of a body are
/// unused.
@Tag("arrow-java")
@Tag("random")
class UnusualBodiesTest {

  private static final ArrowType INT32 = new ArrowType.Int(32, true);

  @TempDir private Path folder;
  private Stored stored;

  @BeforeEach
  void open() throws IOException {
    stored = new Stored(folder);
  }

  private HandBuilt handBuilt(Schema schema, long rowCount) {
    return new HandBuilt(stored, schema, rowCount);
  }

  /// Slices have such offsets. Bytes before the first offset and after the last one belong to no
  /// slot.
  @Test
  void offsetsMayStartAnywhere() throws IOException {
    byte[] bytes = "--onetwothree--".getBytes(US_ASCII);
    for (ArrowType type : List.of(new ArrowType.Utf8(), new ArrowType.Binary())) {
      handBuilt(Schema.of(Field.of("v", true, type)), 3)
          .node(3, 1)
          .buffer(0, new byte[] {0b101})
          .buffer(8, int32s(2, 5, 8, 13))
          .buffer(24, bytes)
          .assertHoldsForAll(List.of(asList(value(type, "one"), null, value(type, "three"))));
    }
    for (ArrowType type : List.of(new ArrowType.LargeUtf8(), new ArrowType.LargeBinary())) {
      handBuilt(Schema.of(Field.of("v", true, type)), 2)
          .node(2, 0)
          .none()
          .buffer(0, int64s(5, 8, 13))
          .buffer(24, bytes)
          .assertHoldsForAll(List.of(List.of(value(type, "two"), value(type, "three"))));
    }
  }

  @Test
  void offsetsOfListsAndMapsMayStartAnywhere() throws IOException {
    Field item = Field.of("item", true, INT32);
    byte[] items = int32s(-1, -1, 1, 2, 3, -1);
    List<List<@Nullable Object>> lists = List.of(List.of(List.of(1L, 2L), List.of(), List.of(3L)));
    handBuilt(Schema.of(Field.of("l", true, new ArrowType.List(), item)), 3)
        .node(3, 0)
        .none()
        .buffer(0, int32s(2, 4, 4, 5))
        .node(6, 0)
        .none()
        .buffer(16, items)
        .assertHoldsForAll(lists);
    handBuilt(Schema.of(Field.of("l", true, new ArrowType.LargeList(), item)), 3)
        .node(3, 0)
        .none()
        .buffer(0, int64s(2, 4, 4, 5))
        .node(6, 0)
        .none()
        .buffer(32, items)
        .assertHoldsForAll(lists);
    Field entries =
        Field.of(
            "entries",
            false,
            new ArrowType.Struct(),
            Field.of("key", false, new ArrowType.Utf8()),
            Field.of("value", true, INT32));
    handBuilt(Schema.of(Field.of("m", true, new ArrowType.Map(false), entries)), 2)
        .node(2, 0)
        .none()
        .buffer(0, int32s(1, 2, 3))
        .node(4, 0)
        .none()
        .node(4, 0)
        .none()
        .buffer(16, int32s(1, 2, 3, 4, 5))
        .buffer(40, "-abcd".getBytes(US_ASCII))
        .node(4, 0)
        .none()
        .buffer(48, int32s(0, 1, 2, 3))
        .assertHoldsForAll(List.of(List.of(List.of(List.of("b", 1L)), List.of(List.of("c", 2L)))));
  }

  /// A slice within a slice has a different first offset on each level.
  @Test
  void offsetsMayStartAnywhereOnEveryLevel() throws IOException {
    Field text = Field.of("item", true, new ArrowType.LargeUtf8());
    Field lists = Field.of("item", true, new ArrowType.List(), text);
    handBuilt(Schema.of(Field.of("l", true, new ArrowType.LargeList(), lists)), 2)
        .node(2, 0)
        .none()
        .buffer(0, int64s(1, 2, 3))
        .node(4, 0)
        .none()
        .buffer(24, int32s(2, 3, 4, 6, 6))
        .node(7, 0)
        .none()
        .buffer(48, int64s(7, 7, 7, 7, 8, 10, 11, 12))
        .buffer(112, "-------abcde".getBytes(US_ASCII))
        .assertHoldsForAll(List.of(List.of(List.of(List.of("a")), List.of(List.of("bc", "d")))));
  }

  /// The specification requires multiples of 8, but not all writers comply.
  @Test
  void buffersMayHaveAnyPositionAndOrder() throws IOException {
    Schema schema =
        Schema.of(
            Field.of("i", true, INT32),
            Field.of("d", true, new ArrowType.Decimal(5, 0, 256)),
            Field.of("t", true, new ArrowType.Utf8()),
            Field.of("v", true, new ArrowType.Utf8View()));
    byte[] decimals = new byte[64];
    decimals[0] = 7;
    decimals[32] = 8;
    byte[] views = new byte[32];
    views[0] = 1;
    views[4] = 'x';
    views[16] = 13;
    System.arraycopy("thir".getBytes(US_ASCII), 0, views, 20, 4);
    views[28] = 2;
    handBuilt(schema, 2)
        .node(2, 1)
        .buffer(301, new byte[] {0b01})
        .buffer(201, int32s(5, 6))
        .node(2, 0)
        .none()
        .buffer(99, decimals)
        .node(2, 0)
        .none()
        .buffer(41, int32s(0, 1, 3))
        .buffer(37, "abc".getBytes(US_ASCII))
        .node(2, 0)
        .none()
        .buffer(3, views)
        .buffer(55, "--thirteen byte".getBytes(US_ASCII))
        .variadic(1)
        .assertHoldsForAll(
            List.of(
                asList(5L, null),
                List.of(BigInteger.valueOf(7), BigInteger.valueOf(8)),
                List.of("a", "bc"),
                List.of("x", "thirteen byte")));
  }

  @Test
  void buffersMayShareBytes() throws IOException {
    Schema schema =
        Schema.of(
            Field.of("a", true, INT32),
            Field.of("b", true, new ArrowType.Int(32, false)),
            Field.of("c", true, INT32),
            Field.of("t", true, new ArrowType.Utf8()));
    handBuilt(schema, 3)
        .node(3, 1)
        .buffer(0, new byte[] {0b011})
        .buffer(8, int32s(0, 1, 2, 3))
        .node(3, 1)
        .region(0, 1)
        .region(8, 12)
        .node(3, 0)
        .none()
        .region(12, 12)
        .node(3, 0)
        .none()
        .region(8, 16)
        .buffer(24, "xyz".getBytes(US_ASCII))
        .assertHoldsForAll(
            List.of(
                asList(0L, 1L, null),
                asList(0L, 1L, null),
                List.of(1L, 2L, 3L),
                List.of("x", "y", "z")));
  }

  /// The excess bytes belong to the buffer itself, not to padding.
  @Test
  void buffersMayBeLongerThanNeeded() throws IOException {
    Schema schema =
        Schema.of(
            Field.of("i", true, INT32),
            Field.of("b", true, new ArrowType.Bool()),
            Field.of("t", true, new ArrowType.Utf8()));
    handBuilt(schema, 2)
        .node(2, 1)
        .buffer(0, new byte[] {(byte) 0b11111101, -1, -1})
        .buffer(8, int32s(1, 2, 3, 4))
        .node(2, 0)
        .none()
        .buffer(24, new byte[] {(byte) 0b11111110, -1})
        .node(2, 0)
        .none()
        .buffer(32, int32s(0, 1, 2, 9, 9))
        .buffer(56, "ab---".getBytes(US_ASCII))
        .assertHoldsForAll(List.of(asList(1L, null), List.of(false, true), List.of("a", "b")));
  }

  /// The position of an empty buffer has no meaning and may be outside the body.
  @Test
  void emptyBuffersMayHaveAnyPosition() throws IOException {
    handBuilt(Schema.of(Field.of("i", true, INT32), Field.of("t", true, new ArrowType.Utf8())), 1)
        .node(1, 0)
        .region(1L << 40, 0)
        .buffer(0, int32s(5))
        .node(1, 0)
        .region(3, 0)
        .buffer(8, int32s(0, 0))
        .region(Long.MAX_VALUE, 0)
        .assertHolds(List.of(List.of(5L), List.of("")));
  }

  /// The offsets of an empty array are a single zero or missing. More zeros are unused.
  @Test
  void offsetsOfAnEmptyArrayMayBeMissing() throws IOException {
    for (int count : new int[] {0, 1, 2}) {
      Schema schema =
          Schema.of(
              Field.of("t", true, new ArrowType.Utf8()),
              Field.of("b", true, new ArrowType.LargeBinary()),
              Field.of("l", true, new ArrowType.List(), Field.of("item", true, INT32)));
      handBuilt(schema, 0)
          .node(0, 0)
          .none()
          .buffer(0, int32s(new int[count]))
          .none()
          .node(0, 0)
          .none()
          .buffer(16, int64s(new long[count]))
          .none()
          .node(0, 0)
          .none()
          .buffer(48, int32s(new int[count]))
          .node(0, 0)
          .none()
          .none()
          .assertHoldsForAll(List.of(List.of(), List.of(), List.of()));
    }
  }

  /// Release 0.14 wrote only empty buffers for batches without rows, in every layout.
  @Test
  void batchesWithoutRowsMayHaveEmptyBuffers() throws IOException {
    for (int seed : Trials.seeds(5)) {
      RandomData data = new RandomData(seed);
      List<Field> fields =
          ArrayKind.ALL.stream()
              .map(kind -> kind.field("f", true, data))
              .filter(field -> field.dictionary() == null && !hasDictionaries(field))
              .toList();
      HandBuilt batch =
          handBuilt(new Schema(fields, Metadata.EMPTY, Endianness.LITTLE, List.of()), 0);
      fields.forEach(field -> addEmpty(batch, field));
      batch.assertHolds(Collections.nCopies(fields.size(), List.of()));
    }
  }

  @Test
  void batchesWithoutColumnsKeepTheirRowCount() throws IOException {
    handBuilt(Schema.of(), 7).assertHolds(List.of());
    handBuilt(Schema.of(Field.of("s", true, new ArrowType.Struct())), 3)
        .node(3, 1)
        .buffer(0, new byte[] {0b101})
        .assertHoldsForAll(List.of(asList(List.of(), null, List.of())));
  }

  private static void addEmpty(HandBuilt batch, Field field) {
    batch.node(0, 0);
    Layout layout = Layout.of(field);
    for (BufferLayout _ : layout.buffers()) {
      batch.none();
    }
    if (layout.indexOf(BufferRole.VIEWS) >= 0) {
      batch.variadic(0);
    }
    field.storageChildren().forEach(child -> addEmpty(batch, child));
  }

  private static boolean hasDictionaries(Field field) {
    List<Field> fields = new ArrayList<>(field.children());
    return fields.stream().anyMatch(child -> child.dictionary() != null || hasDictionaries(child));
  }

  private static Object value(ArrowType type, String text) {
    return type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8
        ? text
        : ByteString.of(text);
  }
}
