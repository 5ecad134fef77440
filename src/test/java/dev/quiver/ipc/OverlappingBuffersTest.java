package dev.quiver.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.codec.BufferCodec;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.memory.Limits;
import dev.quiver.memory.Padding;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.FieldNode;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Buffers that share compressed bytes are each decompressed: a body of a few kilobytes could name
/// the same ones a million times.
class OverlappingBuffersTest {

  private static final int VALUE_BYTE_SIZE = 1000;

  @ParameterizedTest
  @EnumSource
  void compressedBuffersMayNotOverlap(CompressionType codec) throws IOException {
    try (StreamReader reader = reader(codec, 2, true)) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(UnsupportedInputException.class)
          .hasMessageMatching(
              "Expected compressed buffers that do not overlap but found buffers of more bytes than"
                  + " the body's [0-9]+ at message 1, byte offset [0-9]+, field v,"
                  + " RecordBatch.buffers\\[3\\]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void asManyBuffersNextToEachOtherAreRead(CompressionType codec) throws IOException {
    try (StreamReader reader = reader(codec, 2, false)) {
      RecordBatch batch = Objects.requireNonNull(reader.next());
      assertThat(batch.columns().getFirst().variadicBuffers())
          .extracting(MemorySegment::byteSize)
          .containsExactly((long) VALUE_BYTE_SIZE, (long) VALUE_BYTE_SIZE);
    }
  }

  /// A batch without rows, whose views have that many data buffers, all of them equal.
  private static StreamReader reader(CompressionType codec, int count, boolean shared)
      throws IOException {
    byte[] compressed = compressed(codec);
    long distance = shared ? 0 : Padding.padded(compressed.length, 8);
    Bytes body = new Bytes();
    List<Buffer> buffers = new ArrayList<>(Collections.nCopies(2, new Buffer(0, 0)));
    for (int i = 0; i < count; i++) {
      buffers.add(new Buffer(i * distance, compressed.length));
      if (i == 0 || !shared) {
        body.bytes(compressed).bytes(new byte[Padding.missing(compressed.length, 8)]);
      }
    }
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(Schema.of(Field.of("v", true, new ArrowType.Utf8View())));
    writer.write(
        new RecordBatchHeader(
            0,
            List.of(new FieldNode(0, 0)),
            buffers,
            new BodyCompression(codec),
            List.of((long) count)),
        Metadata.EMPTY,
        body.segment().byteSize());
    writer.write(body.segment());
    writer.writeEndOfStream();
    return new StreamReader(bytes.source(), Limits.DEFAULT);
  }

  private static byte[] compressed(CompressionType type) {
    BufferCodec codec = BodyCodecs.of(type);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(8 + codec.maximumCompressedByteSize(VALUE_BYTE_SIZE));
      buffer.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, VALUE_BYTE_SIZE);
      long byteSize = codec.compress(arena.allocate(VALUE_BYTE_SIZE), buffer.asSlice(8));
      return buffer.asSlice(0, 8 + byteSize).toArray(ValueLayout.JAVA_BYTE);
    }
  }
}
