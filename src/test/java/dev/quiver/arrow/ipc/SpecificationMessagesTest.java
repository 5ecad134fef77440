package dev.quiver.arrow.ipc;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Tests the examples in the IPC part of the specification: the nodes and buffers of a record
/// batch, and the dictionaries of a stream. `SpecificationExamplesTest` covers the layouts.
class SpecificationMessagesTest {

  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType FLOAT64 = new ArrowType.FloatingPoint(Precision.DOUBLE);

  private final ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());

  /// `col1: Struct<a: Int32, b: List<item: Int64>, c: Float64>, col2: Utf8`.
  @Test
  void flattensColumnsParentsFirst() throws IOException {
    Field b =
        Field.of(
            "b", true, new ArrowType.List(), Field.of("item", true, new ArrowType.Int(64, true)));
    Schema schema =
        Schema.of(
            Field.of(
                "col1",
                true,
                new ArrowType.Struct(),
                Field.of("a", true, INT32),
                b,
                Field.of("c", true, FLOAT64)),
            Field.of("col2", true, new ArrowType.Utf8()));
    List<List<?>> columns =
        List.of(
            asList(asList(1L, asList(10L, null, 12L), null), null, asList(null, null, 0.5)),
            asList("x", null, "yz"));
    RecordBatch batch = builder.recordBatch(schema, 3, columns);

    EncodedBody body = EncodedBody.of(3, batch.columns(), Codec.NONE, Arena.ofAuto());

    assertThat(body.header().nodes())
        .containsExactly(
            new FieldNode(3, 1),
            new FieldNode(3, 2),
            new FieldNode(3, 2),
            new FieldNode(3, 1),
            new FieldNode(3, 2),
            new FieldNode(3, 1));
    assertThat(body.buffers().stream().map(SpecificationMessagesTest::hex))
        .containsExactly(
            "05",
            "01",
            "010000000000000000000000",
            "01",
            "00000000030000000300000003000000",
            "05",
            "0a0000000000000000000000000000000c00000000000000",
            "04",
            "00000000000000000000000000000000000000000000e03f",
            "05",
            "00000000010000000100000003000000",
            "78797a");
    assertThat(body.header().buffers())
        .containsExactly(
            new Buffer(0, 1),
            new Buffer(64, 1),
            new Buffer(128, 12),
            new Buffer(192, 1),
            new Buffer(256, 16),
            new Buffer(320, 1),
            new Buffer(384, 24),
            new Buffer(448, 1),
            new Buffer(512, 24),
            new Buffer(576, 1),
            new Buffer(640, 16),
            new Buffer(704, 3));
    assertThat(body.byteSize()).isEqualTo(768);
    assertThat(body.header().variadicBufferCounts()).isEmpty();
    assertThat(read(schema, body)).isEqualTo(columns);
  }

  /// `col1: Struct<a: Int32, b: BinaryView, c: Float64>, col2: Utf8View`, with three and two data
  /// buffers.
  @Test
  void countsDataBuffersOfViewsInNodeOrder() throws IOException {
    Schema schema =
        Schema.of(
            Field.of(
                "col1",
                true,
                new ArrowType.Struct(),
                Field.of("a", true, INT32),
                Field.of("b", true, new ArrowType.BinaryView()),
                Field.of("c", true, FLOAT64)),
            Field.of("col2", true, new ArrowType.Utf8View()));
    List<List<?>> columns =
        List.of(
            List.of(
                List.of(1L, ByteString.of("b".repeat(40_000)), 1.0),
                List.of(2L, ByteString.of("c".repeat(40_001)), 2.0),
                List.of(3L, ByteString.of("d".repeat(40_002)), 3.0)),
            List.of("e".repeat(40_003), "inline", "f".repeat(40_004)));
    RecordBatch batch = builder.recordBatch(schema, 3, columns);

    EncodedBody body = EncodedBody.of(3, batch.columns(), Codec.NONE, Arena.ofAuto());

    assertThat(body.header().variadicBufferCounts()).containsExactly(3L, 2L);
    assertThat(body.header().buffers().stream().map(Buffer::length))
        .containsExactly(
            0L, 0L, 12L, 0L, 48L, 40_000L, 40_001L, 40_002L, 0L, 24L, 0L, 48L, 40_003L, 40_004L);
    assertThat(read(schema, body)).isEqualTo(columns);
  }

  @Test
  void countsViewsWithoutDataBuffers() throws IOException {
    Field view = Field.of("v", true, new ArrowType.Utf8View());
    DictionaryEncoding encoding = new DictionaryEncoding(1, INT8, false);
    Schema schema =
        Schema.of(
            Field.of("l", true, new ArrowType.List(), view),
            view.withDictionary(encoding),
            Field.of("m", true, new ArrowType.BinaryView()));
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto(), Map.of(1L, List.of("x")))
            .recordBatch(
                schema,
                2,
                List.of(
                    List.of(List.of("a"), List.of("thirteen byte")),
                    List.of("x", "x"),
                    asList(null, null)));

    EncodedBody body = EncodedBody.of(2, batch.columns(), Codec.NONE, Arena.ofAuto());

    assertThat(body.header().variadicBufferCounts()).containsExactly(1L, 0L);
    assertThat(body.header().nodes()).hasSize(4);
  }

  /// `["A", "B", "C", "B", "D", "C", "E", "A"]`, where a delta adds `D` and `E` to the dictionary.
  @Test
  void deltaExtendsTheDictionary() throws IOException {
    assertThat(twoBatches(true, List.of("D", "E"), 3, 2, 4, 0))
        .containsExactly(List.of("A", "B", "C", "B"), List.of("D", "C", "E", "A"));
  }

  /// The same values, where a dictionary of `A`, `C`, `D` and `E` replaces the first one.
  @Test
  void replacementReplacesTheDictionary() throws IOException {
    assertThat(twoBatches(false, List.of("A", "C", "D", "E"), 2, 1, 3, 0))
        .containsExactly(List.of("A", "B", "C", "B"), List.of("D", "C", "E", "A"));
  }

  private static List<List<?>> twoBatches(
      boolean delta, List<String> secondDictionary, int... secondIndices) throws IOException {
    DictionaryStream stream =
        new DictionaryStream(
            Field.of("c", true, new ArrowType.Utf8())
                .withDictionary(new DictionaryEncoding(0, INT8, false)));
    stream.dictionary(0, false, List.of("A", "B", "C"));
    stream.batch(0, 1, 2, 1);
    stream.dictionary(0, delta, secondDictionary);
    stream.batch(secondIndices);
    return stream.read();
  }

  @Test
  void rejectsANonZeroLengthWithoutCompressedBytes() {
    assertCompressedBufferIsRejected(
        Codec.ZSTD,
        0,
        1_000_000,
        "Expected an uncompressed length of -1, or over 0 before a frame"
            + " but found 1000000 before 0 bytes at ");
  }

  /// A few bytes could otherwise declare huge lengths, and rows that need them.
  @Test
  void rejectsALengthThatTheCompressedBytesCannotProduce() {
    assertCompressedBufferIsRejected(
        Codec.LZ4,
        10,
        2_551,
        "Expected an uncompressed length of at most 2550 but found 2551 before 10 bytes at ");
    assertCompressedBufferIsRejected(
        Codec.ZSTD,
        10,
        327_681,
        "Expected an uncompressed length of at most 327680 but found 327681 before 10 bytes at ");
  }

  @Test
  void readsHighlyCompressedBuffers() throws IOException {
    long rows = 4 << 20;
    Field field = Field.of("i", true, INT32);
    MemorySegment zeros = Arena.ofAuto().allocate(4 * rows, 8);
    List<MemorySegment> buffers = List.of(MemorySegment.NULL, zeros);
    ArrayData column = new ArrayData(field, rows, 0, buffers, List.of(), null);
    for (Codec codec : Codec.values()) {
      Bytes bytes = new Bytes();
      StreamWriter writer = new StreamWriter(bytes, Schema.of(field), codec);
      writer.write(new RecordBatch(Schema.of(field), rows, List.of(column)));
      writer.close();

      try (StreamReader reader = new StreamReader(bytes.source(), Limits.DEFAULT)) {
        RecordBatch batch = Objects.requireNonNull(reader.next());
        assertThat(batch.columns().getFirst().buffers().getLast().mismatch(zeros)).isEqualTo(-1);
      }
    }
  }

  private static void assertCompressedBufferIsRejected(
      Codec codec, int frameByteSize, long declared, String message) {
    Schema schema = Schema.of(Field.of("i", true, INT32));
    MemorySegment buffer = MemorySegment.ofArray(new byte[8 + frameByteSize]);
    buffer.set(LittleEndian.INT64, 0, declared);
    RecordBatchHeader header =
        new RecordBatchHeader(
            1_000_000,
            List.of(new FieldNode(1_000_000, 0)),
            List.of(),
            BodyCodecs.compression(codec),
            List.of());
    EncodedBody body = EncodedBody.of(header, List.of(MemorySegment.NULL, buffer));

    assertThatThrownBy(() -> read(schema, body))
        .isInstanceOf(MalformedInputException.class)
        .hasMessageStartingWith(message)
        .hasMessageEndingWith("field i, RecordBatch.buffers[1]");
  }

  /// An uncompressed buffer after its length prefix would leave decimals misaligned to their 16
  /// bytes.
  @Test
  void compressesBuffersEvenIfTheyGrow() {
    ArrayData array = builder.array(Field.of("i", true, INT32), List.of(1));

    for (Codec codec : List.of(Codec.LZ4, Codec.ZSTD)) {
      EncodedBody body = EncodedBody.of(1, List.of(array), codec, Arena.ofAuto());
      assertThat(body.buffers().getLast().get(LittleEndian.INT64, 0)).isEqualTo(4);
      assertThat(body.buffers().getLast().byteSize()).isGreaterThan(8 + 4);
    }
  }

  @Test
  void countsNullsIfTheCountIsUnknown() {
    ArrayData counted = builder.array(Field.of("i", true, INT32), asList(1, null, 3, null));
    ArrayData nulls = builder.array(Field.of("n", true, new ArrowType.Null()), asList(null, null));

    assertThat(body(withUnknownNullCount(counted)).header().nodes())
        .containsExactly(new FieldNode(4, 2));
    assertThat(body(withUnknownNullCount(nulls)).header().nodes())
        .containsExactly(new FieldNode(2, 2));
  }

  private static ArrayData withUnknownNullCount(ArrayData array) {
    return new ArrayData(
        array.field(), array.length(), -1, array.buffers(), array.children(), array.dictionary());
  }

  private static EncodedBody body(ArrayData column) {
    return EncodedBody.of(column.length(), List.of(column), Codec.NONE, Arena.ofAuto());
  }

  private static List<List<?>> read(Schema schema, EncodedBody body) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeSchema(schema);
    messages.write(body.header(), Metadata.EMPTY, body.byteSize());
    body.writeTo(messages);
    try (StreamReader reader = new StreamReader(bytes.source(), Limits.DEFAULT)) {
      RecordBatch batch = Objects.requireNonNull(reader.next());
      List<List<?>> columns = new ArrayList<>();
      batch.columns().forEach(column -> columns.add(Values.of(column)));
      return columns;
    }
  }

  private static String hex(MemorySegment segment) {
    return HexFormat.of().formatHex(segment.toArray(LittleEndian.INT8));
  }
}
