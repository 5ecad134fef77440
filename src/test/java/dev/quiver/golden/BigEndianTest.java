package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.BufferLayout;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.ByteOrders;
import dev.quiver.columnar.Endianness;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.Bytes;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.ipc.StreamReader;
import dev.quiver.ipc.StreamWriter;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.FieldNode;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Big-endian streams of every type hold what they held before all their buffers were swapped.
/// Those of other writers, which have fewer types, are among the golden files; which bytes are
/// swapped is in `ByteOrdersTest`.
class BigEndianTest {

  private static final int SEED_COUNT = 60;

  @Test
  void everyTypeIsReadWithEveryCodec() throws IOException {
    for (int seed = 0; seed < SEED_COUNT; seed++) {
      try (Arena arena = Arena.ofConfined()) {
        Written written = Written.random(seed, 3, arena);
        for (@Nullable CompressionType codec : Written.CODECS) {
          Decoded.Sink sink = new Decoded.Sink();
          Schema schema = written.schema().withEndianness(Endianness.BIG);
          StreamWriter writer = new StreamWriter(sink, schema, codec);
          BigEndian bigEndian = new BigEndian();
          for (RecordBatch batch : written.batches()) {
            List<ArrayData> columns = batch.columns().stream().map(bigEndian::of).toList();
            writer.write(new RecordBatch(schema, batch.length(), columns));
          }
          writer.close();
          Decoded.ofStream(sink.written())
              .assertHolds(written.expected(), "seed " + seed + ", codec " + codec);
        }
      }
    }
  }

  @Test
  void schemasAreThoseOfTheArrays() {
    Schema schema = Schema.of(Field.of("n", true, new ArrowType.Int(32, true)));
    RecordBatchReader reader =
        new RecordBatchReader(schema.withEndianness(Endianness.BIG), Limits.DEFAULT);
    assertThat(reader.schema()).isEqualTo(schema);
    assertThat(reader.swapsBodies()).isTrue();
    assertThat(new RecordBatchReader(schema, Limits.DEFAULT).swapsBodies()).isFalse();
  }

  @Test
  void buffersThatOverlapAreNotCopiedWithoutEnd() throws IOException {
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

  /// Swaps all buffers of arrays and of the dictionaries that they refer to.
  private static final class BigEndian {

    private final Map<Long, ArrayData> dictionaries = new HashMap<>();

    ArrayData of(ArrayData array) {
      List<MemorySegment> buffers = new ArrayList<>();
      for (int i = 0; i < array.buffers().size(); i++) {
        MemorySegment buffer = array.buffers().get(i);
        buffers.add(
            i < array.layout().buffers().size()
                ? swapped(buffer, array.layout().buffers().get(i), array.field().storageType())
                : buffer);
      }
      List<ArrayData> children = array.children().stream().map(this::of).toList();
      ArrayData dictionary = array.dictionary();
      var encoding = array.field().dictionary();
      if (dictionary != null && encoding != null) {
        ArrayData before = dictionary;
        ArrayData known = dictionaries.get(encoding.id());
        dictionary = known == null ? of(before) : known;
        dictionaries.put(encoding.id(), dictionary);
      }
      return new ArrayData(
          array.field(), array.length(), array.nullCount(), buffers, children, dictionary);
    }

    private static MemorySegment swapped(
        MemorySegment buffer, BufferLayout layout, ArrowType type) {
      MemorySegment swapped = Arena.ofAuto().allocate(buffer.byteSize(), 64);
      ByteOrders.swap(buffer, swapped, layout, type);
      if (layout.role() == BufferRole.VIEWS) {
        // Lengths tell which kind a view is only once they are read.
        for (long i = 0; i < buffer.byteSize(); i += 16) {
          boolean inline = Integer.compareUnsigned(LittleEndian.getInt32(buffer, i), 12) <= 0;
          for (int j : inline ? new int[0] : new int[] {8, 12}) {
            int number = Integer.reverseBytes(LittleEndian.getInt32(buffer, i + j));
            LittleEndian.setInt32(swapped, i + j, number);
          }
          if (inline) {
            MemorySegment.copy(buffer, i + 8, swapped, i + 8, 8);
          }
        }
      }
      return swapped;
    }
  }
}
