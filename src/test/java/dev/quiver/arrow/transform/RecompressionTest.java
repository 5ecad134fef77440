package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.BodyCompression;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.CompressionType;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Recompression of single bodies. `TransformedDataTest` checks that values stay the same.
class RecompressionTest {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("f", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(5, new ArrowType.Int(8, true), false)));

  @Test
  void decompressesUncompressedAndEmptyBuffers() throws IOException {
    // No validity, uncompressed offsets after a length of -1, and no data.
    byte[] body = new byte[64];
    LittleEndian.setInt64(MemorySegment.ofArray(body), 0, -1);
    body[12] = 7;
    List<Buffer> buffers = List.of(new Buffer(0, 0), new Buffer(0, 16), new Buffer(64, 0));
    Result result = recompress(buffers, Codec.ZSTD, body, Codec.NONE);
    assertThat(result.header().buffers())
        .containsExactly(new Buffer(0, 0), new Buffer(0, 8), new Buffer(64, 0));
    assertThat(result.header().compression()).isNull();
    assertThat(result.body.asSlice(0, 8).toArray(LittleEndian.INT8))
        .containsExactly(0, 0, 0, 0, 7, 0, 0, 0);
  }

  @Test
  void copiesABodyThatHasTheRequestedCodec() throws IOException {
    byte[] body = new byte[64];
    LittleEndian.setInt64(MemorySegment.ofArray(body), 8, -1);
    List<Buffer> buffers = List.of(new Buffer(0, 0), new Buffer(8, 16), new Buffer(64, 0));
    Result result = recompress(buffers, Codec.ZSTD, body, Codec.ZSTD);
    assertThat(result.header().buffers()).isEqualTo(buffers);
    assertThat(result.body.toArray(LittleEndian.INT8)).isEqualTo(body);
  }

  @Test
  void keepsDeltasAndCustomMetadata() throws IOException {
    RecordBatchHeader data =
        new RecordBatchHeader(
            0, List.of(new FieldNode(0, 0)), List.of(new Buffer(0, 8)), null, List.of());
    Metadata metadata = Metadata.of(KeyValue.of("key", "value"));
    byte[] body = new byte[64];
    EncapsulatedMessage written =
        rewrite(new DictionaryBatchHeader(5, data, true), metadata, body, Codec.LZ4).message;
    DictionaryBatchHeader header = (DictionaryBatchHeader) written.message().header();
    assertThat(header.id()).isEqualTo(5);
    assertThat(header.delta()).isTrue();
    assertThat(header.data().compression())
        .isEqualTo(new BodyCompression(CompressionType.LZ4_FRAME));
    assertThat(written.message().customMetadata()).isEqualTo(metadata);
  }

  @Test
  void rejectsOverlappingBuffers() {
    List<Buffer> buffers = List.of(new Buffer(0, 64), new Buffer(0, 64), new Buffer(0, 64));
    assertThatThrownBy(() -> recompress(buffers, Codec.NONE, new byte[64], Codec.ZSTD))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessage(
            "Expected buffers that do not overlap but found buffers of 192 bytes in a body of 64"
                + " at RecordBatch.buffers");
  }

  private Result recompress(List<Buffer> buffers, Codec from, byte[] body, Codec to)
      throws IOException {
    RecordBatchHeader header =
        new RecordBatchHeader(
            1, List.of(new FieldNode(1, 0)), buffers, BodyCodecs.compression(from), List.of());
    return rewrite(header, Metadata.EMPTY, body, to);
  }

  private Result rewrite(MessageHeader header, Metadata metadata, byte[] body, Codec codec)
      throws IOException {
    MemorySegment stream =
        written(writer -> {
          writer.writeSchema(SCHEMA);
          writer.write(header, metadata, body.length);
          writer.write(MemorySegment.ofArray(body));
        });
    Result original = read(stream);
    MemorySegment rewritten;
    try (Arena arena = Arena.ofConfined();
        Recompression recompression = new Recompression(SCHEMA, codec, Limits.DEFAULT)) {
      rewritten =
          written(writer -> {
            writer.writeSchema(SCHEMA);
            recompression.begin(original.message, original.body, arena).write(writer);
          });
    }
    return read(rewritten);
  }

  private record Result(EncapsulatedMessage message, MemorySegment body) {
    RecordBatchHeader header() {
      return (RecordBatchHeader) message.message().header();
    }
  }

  private static Result read(MemorySegment stream) throws IOException {
    MessageReader reader = new MessageReader(ByteSource.of(stream), Limits.DEFAULT);
    reader.readSchema();
    EncapsulatedMessage message = reader.next();
    if (message == null) {
      throw new AssertionError("no message");
    }
    MemorySegment body = Arena.ofAuto().allocate(message.message().bodyLength(), 64);
    reader.readBodyPart(body);
    return new Result(message, body);
  }

  @FunctionalInterface
  private interface Writing {
    void to(MessageWriter writer) throws IOException;
  }

  private static MemorySegment written(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writing.to(new MessageWriter(segment -> bytes.writeBytes(segment.toArray(LittleEndian.INT8))));
    return MemorySegment.ofArray(bytes.toByteArray());
  }
}
