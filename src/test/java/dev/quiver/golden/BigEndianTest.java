package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.ByteOrders;
import dev.quiver.arrow.array.OddArrays;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that big-endian streams of every type decode to the original values. The golden files
/// include big-endian ones of other writers, which cover fewer types. `ByteOrdersTest` tests which
/// bytes are swapped.
@Tag("random")
class BigEndianTest {

  private static final int SEED_COUNT = 60;
  private static final int LENGTH = 11;

  @Test
  void readsEveryTypeWithEveryCodec() throws IOException {
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        Written written = Written.random(seed, 3, arena);
        assertReadWithEveryCodec(written, "seed " + seed);
      }
    }
  }

  /// The seed determines the other field of the schema, and the children of nested kinds.
  @Test
  void readsEveryKindWithEveryShapeOfNulls() throws IOException {
    for (ArrayKind kind : ArrayKind.ALL) {
      for (NullShape nulls : NullShape.values()) {
        try (Arena arena = Arena.ofConfined()) {
          DirectedData data = new DirectedData(kind.hashCode(), nulls);
          Field field = kind.field(DirectedData.DIRECTED, nulls != NullShape.NOT_NULLABLE, data);
          Schema schema = Schema.of(field, data.field("other", 2));
          int length = nulls == NullShape.EMPTY ? 0 : LENGTH;
          Written written = Written.of(schema, data, new int[] {length, length}, arena);
          assertReadWithEveryCodec(written, kind + ", " + nulls);
          assertSwapsBack(written.batches().getFirst().columns().getFirst());
          OddArrays odd = new OddArrays(kind.hashCode(), data, arena);
          List<RecordBatch> batches = new ArrayList<>();
          for (List<List<@Nullable Object>> columns : written.expected().batches()) {
            batches.add(odd.recordBatch(schema, length, columns));
          }
          assertReadWithEveryCodec(
              new Written(schema, batches, written.expected()), "odd " + kind + ", " + nulls);
        }
      }
    }
  }

  private static void assertReadWithEveryCodec(Written written, String description)
      throws IOException {
    for (Codec codec : Codec.values()) {
      MemorySegment stream = BigEndian.stream(written.schema(), written.batches(), codec);
      Decoded.ofStream(stream).assertHolds(written.expected(), description + ", codec " + codec);
    }
  }

  /// Asserts that a swap turns each big-endian buffer into the original, and the original into the
  /// big-endian buffer. Views are exempt from the latter, because their lengths control the swap
  /// and must be big-endian.
  private static void assertSwapsBack(ArrayData array) {
    ArrowType type = array.field().storageType();
    for (int i = 0; i < array.layout().buffers().size(); i++) {
      BufferLayout layout = array.layout().buffers().get(i);
      MemorySegment buffer = array.buffers().get(i);
      MemorySegment bigEndian = BigEndian.of(buffer, layout, type);
      assertThat(swapped(bigEndian, layout, type).mismatch(buffer))
          .as(layout.toString())
          .isEqualTo(-1);
      if (layout.role() != BufferRole.VIEWS) {
        assertThat(swapped(buffer, layout, type).mismatch(bigEndian))
            .as(layout.toString())
            .isEqualTo(-1);
      }
      if (!ByteOrders.matters(layout, type)) {
        assertThat(bigEndian.mismatch(buffer)).as(layout.toString()).isEqualTo(-1);
      }
    }
    array.children().forEach(BigEndianTest::assertSwapsBack);
    if (array.dictionary() != null) {
      assertSwapsBack(array.dictionary());
    }
  }

  private static MemorySegment swapped(MemorySegment buffer, BufferLayout layout, ArrowType type) {
    MemorySegment swapped = Arena.ofAuto().allocate(buffer.byteSize(), 64);
    ByteOrders.swap(buffer, swapped, layout, type);
    return swapped;
  }

  @Test
  void readsABigEndianSchemaAsLittleEndian() {
    Schema schema = Schema.of(Field.of("n", true, new ArrowType.Int(32, true)));
    RecordBatchReader reader =
        new RecordBatchReader(schema.withEndianness(Endianness.BIG), Limits.DEFAULT);
    assertThat(reader.schema()).isEqualTo(schema);
    assertThat(reader.swapsBodies()).isTrue();
    assertThat(new RecordBatchReader(schema, Limits.DEFAULT).swapsBodies()).isFalse();
  }

  @Test
  void rejectsOverlappingBuffers() throws IOException {
    Schema schema =
        Schema.of(
                Field.of("a", true, new ArrowType.Int(32, true)),
                Field.of("b", true, new ArrowType.Int(32, true)))
            .withEndianness(Endianness.BIG);
    RecordBatchHeader header =
        new RecordBatchHeader(
            16,
            List.of(new FieldNode(16, 0), new FieldNode(16, 0)),
            List.of(new Buffer(0, 0), new Buffer(0, 64), new Buffer(0, 0), new Buffer(0, 64)),
            null,
            List.of());
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeSchema(schema);
    messages.write(header, Metadata.EMPTY, 64);
    messages.write(MemorySegment.ofArray(new byte[64]));
    try (StreamReader reader = new StreamReader(bytes.source(), Limits.DEFAULT)) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(UnsupportedInputException.class)
          .hasMessageMatching(
              "Expected big-endian buffers that do not overlap but found buffers of more bytes than"
                  + " the body's 64 at message 1, byte offset [0-9]+, field b,"
                  + " RecordBatch.buffers\\[3\\]");
    }
  }
}
