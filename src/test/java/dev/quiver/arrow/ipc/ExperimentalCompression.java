package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Compressed streams as written by release 0.17: V4 with the codec in the custom metadata.
public final class ExperimentalCompression {

  private ExperimentalCompression() {}

  /// Returns a compressed stream that declares its codec as release 0.17 did.
  public static byte[] of(byte[] stream, Codec codec) throws IOException {
    Metadata metadata =
        Metadata.of(
            KeyValue.of("ARROW:experimental_compression", codec == Codec.ZSTD ? "ZSTD" : "LZ4"),
            KeyValue.of("k", "v"));
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    MessageReader reader =
        new MessageReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT);
    writer.writeSchema(MessageReader.schemaOf(reader.readSchema()));
    for (EncapsulatedMessage message = reader.next(); message != null; message = reader.next()) {
      MessageHeader header =
          switch (message.message().header()) {
            case DictionaryBatchHeader(long id, RecordBatchHeader data, boolean delta) ->
                new DictionaryBatchHeader(id, uncompressed(data), delta);
            case RecordBatchHeader data -> uncompressed(data);
            case MessageHeader other -> throw new AssertionError(other);
          };
      writer.write(header, metadata, message.message().bodyLength());
      writer.write(GrowingBody.read(reader, Arena.ofAuto()));
    }
    return Version4.of(bytes.toByteArray());
  }

  private static RecordBatchHeader uncompressed(RecordBatchHeader header) {
    assertThat(header.compression()).isNotNull();
    return new RecordBatchHeader(
        header.length(), header.nodes(), header.buffers(), null, header.variadicBufferCounts());
  }
}
