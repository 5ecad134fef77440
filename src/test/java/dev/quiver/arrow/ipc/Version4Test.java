package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests batches in metadata version V4, whose unions have a validity buffer.
class Version4Test {

  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final Field CHILD = Field.of("c", true, INT32);
  private static final Field SPARSE =
      Field.of("u", true, new ArrowType.Union(UnionMode.SPARSE, List.of(3)), CHILD);
  private static final Field DENSE =
      Field.of("u", true, new ArrowType.Union(UnionMode.DENSE, List.of(3)), CHILD);
  private static final Field RUNS =
      Field.of(
          "r",
          true,
          new ArrowType.RunEndEncoded(),
          Field.of("run_ends", false, INT32),
          Field.of("values", true, INT32));

  private static final List<?> UNION_VALUES =
      List.of(new UnionValue((byte) 3, 7L), new UnionValue((byte) 3, 8L));
  private static final List<?> RUN_VALUES = List.of(5L, 5L);
  private static final byte[] ALL_VALID = {3};

  @Test
  void readsUnionsWithAValidityBuffer() throws IOException {
    for (Field field : List.of(SPARSE, DENSE)) {
      assertThat(read(field, UNION_VALUES, ALL_VALID, 0)).isEqualTo(UNION_VALUES);
      assertThat(read(field, UNION_VALUES, new byte[0], 0)).isEqualTo(UNION_VALUES);
      assertThat(read(field, UNION_VALUES, ALL_VALID, -1)).isEqualTo(UNION_VALUES);
      // As in every other array, a null count of 0 overrides the bitmap.
      assertThat(read(field, UNION_VALUES, new byte[] {0}, 0)).isEqualTo(UNION_VALUES);
    }
  }

  @Test
  void readsUnionsWithoutAValidityBuffer() throws IOException {
    assertThat(read(SPARSE, UNION_VALUES, null, 0)).isEqualTo(UNION_VALUES);
  }

  @Test
  void rejectsNullsInTheUnionItself() {
    for (int nullCount : new int[] {1, -1}) {
      assertThatThrownBy(() -> read(SPARSE, UNION_VALUES, new byte[] {1}, nullCount))
          .isInstanceOf(UnsupportedInputException.class)
          .hasMessageMatching(
              "Expected no nulls in sparse_union itself, only in its children, even in metadata"
                  + " version V4 but found 1 nulls at message 1, byte offset [0-9]+,"
                  + " field u, RecordBatch.nodes");
    }
  }

  @Test
  void readsRunEndEncodedArraysWithAndWithoutAValidityBuffer() throws IOException {
    assertThat(read(RUNS, RUN_VALUES, null, 0)).isEqualTo(RUN_VALUES);
    assertThat(read(RUNS, RUN_VALUES, ALL_VALID, 0)).isEqualTo(RUN_VALUES);
    assertThat(read(RUNS, RUN_VALUES, new byte[0], 0)).isEqualTo(RUN_VALUES);
  }

  /// `["a", "a", null]` in runs, written by Arrow C++ 25 in V4 with an empty validity buffer.
  @Test
  void readsRunEndEncodedArraysOfArrowCpp() throws IOException {
    byte[] stream =
        Base64.getDecoder()
            .decode(
                """
                /////+gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABAwAMAAAACAAIAAAABAAIAAAABAAAAAEAAAAEAAAA
                1P///wAAARYYAAAAHAAAAAQAAAACAAAAYAAAACAAAAABAAAAcgAAAMj///8QABQACAAGAAcADAAAABAA
                EAAAAAAAAQUQAAAAHAAAAAQAAAAAAAAABgAAAHZhbHVlcwAABAAEAAQAAAAQABQACAAAAAcADAAAABAA
                EAAAAAAAAAIQAAAAJAAAAAQAAAAAAAAACAAAAHJ1bl9lbmRzAAAAAAgADAAIAAcACAAAAAAAAAEgAAAA
                /////+gAAAAUAAAAAAAAAAwAFgAGAAUACAAMAAwAAAAAAwMAGAAAACgAAAAAAAAAAAAKABgADAAEAAgA
                CgAAAHwAAAAQAAAAAwAAAAAAAAAAAAAABgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                AAAAAAAAAAAIAAAAAAAAAAgAAAAAAAAAAQAAAAAAAAAQAAAAAAAAAAwAAAAAAAAAIAAAAAAAAAABAAAA
                AAAAAAAAAAADAAAAAwAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAACAAAAAAAAAAEAAAAAAAAA
                AgAAAAMAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAABhAAAAAAAAAP////8AAAAA
                """
                    .replaceAll("\\s", ""));
    assertThat(read(stream)).isEqualTo(Arrays.asList("a", "a", null));
  }

  @Test
  void rejectsAnyOtherNumberOfBuffers() {
    Schema schema = Schema.of(SPARSE, RUNS);
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
    EncodedBody body =
        EncodedBody.of(
            2,
            builder.recordBatch(schema, 2, List.of(UNION_VALUES, RUN_VALUES)).columns(),
            Codec.NONE,
            Arena.ofAuto());
    List<MemorySegment> buffers = new ArrayList<>(body.buffers());
    buffers.addAll(List.of(MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL));
    assertThatThrownBy(() -> read(schema, EncodedBody.of(body.header(), buffers)))
        .isInstanceOf(MalformedInputException.class)
        .hasMessageMatching(
            "Expected 8 buffers for the schema but found 10 at message 1, byte offset [0-9]+,"
                + " RecordBatch.buffers");
  }

  /// As in release 0.17, buffers have the current format, but the custom metadata declares the
  /// compression.
  @Test
  void readsBodiesOfTheExperimentalCompression() throws IOException {
    Field text =
        Field.of("t", true, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(32, true), false));
    Schema schema = Schema.of(Field.of("n", true, INT32), text);
    List<@Nullable Object> numbers = new ArrayList<>();
    List<Object> texts = new ArrayList<>();
    for (long i = 0; i < 1_000; i++) {
      numbers.add(i % 7 == 0 ? null : i % 10);
      texts.add(i % 3 == 0 ? "a" : "b");
    }
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto(), Map.of(1L, List.of("a", "b")))
            .recordBatch(schema, 1_000, List.of(numbers, texts));
    for (Codec codec : List.of(Codec.LZ4, Codec.ZSTD)) {
      Bytes modern = new Bytes();
      StreamWriter writer = new StreamWriter(modern, schema, codec);
      writer.write(batch);
      writer.close();
      byte[] stream = ExperimentalCompression.of(modern.toByteArray(), codec);
      assertThat(stream).isNotEqualTo(modern.toByteArray());
      try (StreamReader reader =
          new StreamReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT)) {
        RecordBatch read = Objects.requireNonNull(reader.next());
        assertThat(read.customMetadata()).isEqualTo(Metadata.of(KeyValue.of("k", "v")));
        assertThat(Values.of(read.columns().getFirst())).isEqualTo(numbers);
        assertThat(Values.of(read.columns().getLast())).isEqualTo(texts);
      }
    }
  }

  /// Returns the values read from a column to which a validity buffer was added.
  private static List<?> read(
      Field field, List<?> values, byte @Nullable [] validity, int nullCount) throws IOException {
    ArrayData column = new ArrayBuilder(Arena.ofAuto()).array(field, values);
    EncodedBody body = EncodedBody.of(2, List.of(column), Codec.NONE, Arena.ofAuto());
    List<MemorySegment> buffers = new ArrayList<>(body.buffers());
    if (validity != null) {
      buffers.addFirst(MemorySegment.ofArray(validity));
    }
    List<FieldNode> nodes = new ArrayList<>(body.header().nodes());
    nodes.set(0, new FieldNode(2, nullCount));
    RecordBatchHeader header = new RecordBatchHeader(2, nodes, List.of(), null, List.of());
    return read(Schema.of(field), EncodedBody.of(header, buffers));
  }

  private static List<?> read(Schema schema, EncodedBody body) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeSchema(schema);
    messages.writeRecordBatch(body, Metadata.EMPTY);
    return read(Version4.of(bytes.toByteArray()));
  }

  private static List<?> read(byte[] stream) throws IOException {
    try (StreamReader reader =
        new StreamReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT)) {
      return Values.of(Objects.requireNonNull(reader.next()).columns().getFirst());
    }
  }
}
