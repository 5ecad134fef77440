package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests bodies large enough for parallel compression and decompression. Results and errors are the
/// same as on a single thread.
class LargeBodiesTest {

  private static final int ROWS = 60_000;
  private static final int COLUMNS = 8;

  /// Small buffers lie between those that are decompressed ahead.
  private static final Schema SCHEMA =
      Schema.of(
          IntStream.range(0, COLUMNS)
              .mapToObj(i ->
                  Field.of(
                      "f" + i,
                      false,
                      i % 3 == 2 ? new ArrowType.Int(8, true) : new ArrowType.Int(64, true)))
              .toArray(Field[]::new));

  private final Random random = new Random(7);
  private final List<ArrayData> columns = columns();

  private List<ArrayData> columns() {
    List<ArrayData> arrays = new ArrayList<>();
    for (Field field : SCHEMA.fields()) {
      int byteWidth = ((ArrowType.Int) field.type()).bitWidth() >>> 3;
      MemorySegment values = Arena.ofAuto().allocate((long) byteWidth * ROWS, 8);
      for (long i = 0; i < values.byteSize(); i += 8) {
        LittleEndian.setInt64(values, i, random.nextInt(100_000));
      }
      List<MemorySegment> buffers = List.of(MemorySegment.NULL, values);
      arrays.add(new ArrayData(field, ROWS, 0, buffers, List.of(), null));
    }
    return arrays;
  }

  private EncodedBody body(Codec codec, Arena arena) {
    return EncodedBody.of(ROWS, columns, codec, arena);
  }

  private static MemorySegment bytes(EncodedBody body) throws IOException {
    Bytes bytes = new Bytes();
    body.writeTo(bytes);
    return bytes.segment();
  }

  private static MemorySegment compressed(MemorySegment buffer, BufferCodec codec) {
    MemorySegment destination =
        Arena.ofAuto().allocate(8 + codec.maximumCompressedByteSize(buffer.byteSize()));
    LittleEndian.setInt64(destination, 0, buffer.byteSize());
    return destination.asSlice(0, 8 + codec.compress(buffer, destination.asSlice(8)));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void parallelCompressionMatchesTheCodec(Codec codec) {
    BufferCodec library = Objects.requireNonNull(codec.bufferCodec());
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> buffers = body(codec, arena).buffers();
      for (int i = 0; i < COLUMNS; i++) {
        assertThat(buffers.get(2 * i).byteSize()).isZero();
        MemorySegment expected = compressed(columns.get(i).buffers().get(1), library);
        assertThat(buffers.get(2 * i + 1).mismatch(expected)).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void recodingBetweenAllCodecsMatchesDirectCompression(Codec to) throws IOException {
    try (Arena arena = Arena.ofConfined();
        TaskQueue queue = CpuPool.PROCESS.queue()) {
      MemorySegment expected = bytes(body(to, arena));
      MemorySegment plain = bytes(body(Codec.NONE, arena));
      for (Codec from : Codec.values()) {
        EncodedBody before = body(from, arena);
        MemorySegment stored = arena.allocate(before.byteSize(), 64).copyFrom(bytes(before));
        Recoding recompression = recoding(before.header(), stored, to, arena, queue);
        Recoding decompression = recoding(before.header(), stored, Codec.NONE, arena, queue);
        EncodedBody recoded = recompression.finish();
        assertThat(bytes(recoded).mismatch(expected)).isEqualTo(-1);
        assertThat(recoded.header()).isEqualTo(body(to, arena).header());
        assertThat(bytes(decompression.finish()).mismatch(plain)).isEqualTo(-1);
      }
    }
  }

  private static Recoding recoding(
      RecordBatchHeader header, MemorySegment body, Codec codec, Arena arena, TaskQueue queue) {
    return Recoding.begin(SCHEMA.fields(), header, body, codec, arena, Limits.DEFAULT, queue);
  }

  @ParameterizedTest
  @EnumSource
  void readsBodiesIntoMemoryConfinedToOneThread(Codec codec) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch = read(SCHEMA, body(codec, arena), _ -> {}, arena);
      for (int i = 0; i < COLUMNS; i++) {
        MemorySegment values = batch.columns().get(i).buffers().get(1);
        assertThat(values.mismatch(columns.get(i).buffers().get(1))).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void reportsTheFirstOfSeveralDamagedFrames(Codec codec) {
    String magic =
        codec == Codec.ZSTD
            ? "Expected the magic number of a Zstandard frame, 0xfd2fb528"
            : "Expected the magic number of an LZ4 frame, 0x184d2204";
    assertRejected(
        codec,
        buffers -> {
          LittleEndian.setInt32(buffers.get(7), 8, 0);
          LittleEndian.setInt32(buffers.get(9), 8, 0);
          LittleEndian.setInt64(buffers.get(13), 0, -2);
        },
        magic,
        " at message 1, byte offset 0, field f3, RecordBatch.buffers[7]");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void reportsAnInvalidLengthBeforeALaterDamagedFrame(Codec codec) {
    assertRejected(
        codec,
        buffers -> {
          LittleEndian.setInt64(buffers.get(7), 0, -2);
          LittleEndian.setInt32(buffers.get(9), 8, 0);
        },
        "Expected an uncompressed length of -1, or over 0 before a frame but found -2 before ",
        "field f3, RecordBatch.buffers[7]");
  }

  /// The damaged buffer is never requested.
  @Test
  void reportsSurplusNodesRatherThanDamageInTheirFrames() {
    Schema fewer = Schema.of(SCHEMA.fields().subList(0, 3).toArray(Field[]::new));
    try (Arena arena = Arena.ofConfined()) {
      EncodedBody body = body(Codec.ZSTD, arena);
      assertThatThrownBy(() ->
              read(fewer, body, buffers -> LittleEndian.setInt32(buffers.get(9), 8, 0), arena))
          .isInstanceOf(InputException.class)
          .hasMessageStartingWith("Expected 3 field nodes for the schema but found 8");
    }
  }

  @Test
  void recodingReportsTheFirstDamagedFrame() throws IOException {
    try (Arena arena = Arena.ofConfined();
        TaskQueue queue = CpuPool.PROCESS.queue()) {
      EncodedBody body = body(Codec.ZSTD, arena);
      LittleEndian.setInt32(body.buffers().get(3), 8, 0);
      LittleEndian.setInt32(body.buffers().get(7), 8, 0);
      LittleEndian.setInt64(body.buffers().get(9), 0, -2);
      Recoding recoding = recoding(body.header(), bytes(body), Codec.LZ4, arena, queue);
      assertThatThrownBy(recoding::finish)
          .isInstanceOf(InputException.class)
          .hasMessageEndingWith("but found 0x00000000 at byte offset 0, RecordBatch.buffers[3]");
    }
  }

  /// The buffer is rejected for its ratio alone, and before its turn to be decompressed.
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void allocatesNothingForARejectedBuffer(Codec codec) {
    Limits limits =
        Limits.of(64 << 20, 1L << 30, Integer.MAX_VALUE, 100, 64, 1L << 30, 20, 1_000_000);
    long[] allocated = new long[1];
    try (Arena arena = Arena.ofConfined()) {
      SegmentAllocator counting =
          (byteSize, byteAlignment) -> {
            allocated[0] += byteSize;
            return arena.allocate(byteSize, byteAlignment);
          };
      EncodedBody body = body(codec, arena);
      MemorySegment compressed = body.buffers().get(7);
      long byteSize = 30 * (compressed.byteSize() - 8);
      assertThatThrownBy(() ->
              read(
                  SCHEMA,
                  body,
                  _ -> LittleEndian.setInt64(compressed, 0, byteSize),
                  limits,
                  counting))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessage(
              "Expected at most 20 uncompressed bytes per compressed byte"
                  + " (decompression-ratio) but found 30 at message 1, byte offset"
                  + " 464, field f3, RecordBatch.buffers[7]");
    }
    // The earlier buffers and those decompressed ahead.
    assertThat(allocated[0]).isEqualTo(5L * Long.BYTES * ROWS + ROWS);
  }

  private interface Damage {
    void to(List<MemorySegment> buffers);
  }

  private void assertRejected(Codec codec, Damage damage, String start, String end) {
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> read(SCHEMA, body(codec, arena), damage, arena))
          .isInstanceOf(InputException.class)
          .hasMessageStartingWith(start)
          .hasMessageEndingWith(end);
    }
  }

  private static RecordBatch read(Schema schema, EncodedBody body, Damage damage, Arena arena)
      throws IOException {
    return read(schema, body, damage, Limits.DEFAULT, arena);
  }

  private static RecordBatch read(
      Schema schema, EncodedBody body, Damage damage, Limits limits, SegmentAllocator allocator)
      throws IOException {
    damage.to(body.buffers());
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeSchema(schema);
    messages.write(body.header(), Metadata.EMPTY, body.byteSize());
    body.writeTo(messages);
    MessageReader reader = new MessageReader(bytes.source(), Limits.DEFAULT);
    reader.readSchema();
    EncapsulatedMessage message = Objects.requireNonNull(reader.next());
    MemorySegment stored = Arena.ofAuto().allocate(body.byteSize(), 64);
    reader.readBodyPart(stored);
    return new RecordBatchReader(schema, limits).readBatch(message, stored, allocator);
  }
}
