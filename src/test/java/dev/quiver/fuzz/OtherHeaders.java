package dev.quiver.fuzz;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.Version4;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;

/// Our streams with equivalent but different headers and unchanged bodies.
final class OtherHeaders {

  private static final String EXPERIMENTAL = "ARROW:experimental_compression";

  private OtherHeaders() {}

  /// Returns the stream with null counts of -1, which means unknown.
  static byte[] withUnknownNullCounts(byte[] stream) throws IOException {
    return change(stream, Metadata.EMPTY, OtherHeaders::withUnknownNullCounts);
  }

  /// Returns the stream with the codec in the custom metadata of every message, including the
  /// schema, as in release 0.17.
  static byte[] experimentallyCompressed(byte[] stream, Codec codec) throws IOException {
    String name = codec == Codec.ZSTD ? "zstd" : "lz4";
    Metadata metadata = Metadata.of(KeyValue.of("made", "up"), KeyValue.of(EXPERIMENTAL, name));
    return Version4.of(change(stream, metadata, OtherHeaders::withoutCompression));
  }

  private static RecordBatchHeader withUnknownNullCounts(RecordBatchHeader header) {
    return new RecordBatchHeader(
        header.length(),
        header.nodes().stream().map(node -> new FieldNode(node.length(), -1)).toList(),
        header.buffers(),
        header.compression(),
        header.variadicBufferCounts());
  }

  private static RecordBatchHeader withoutCompression(RecordBatchHeader header) {
    return new RecordBatchHeader(
        header.length(), header.nodes(), header.buffers(), null, header.variadicBufferCounts());
  }

  private static byte[] change(
      byte[] stream, Metadata customMetadata, UnaryOperator<RecordBatchHeader> change)
      throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    MessageReader reader =
        new MessageReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT);
    for (EncapsulatedMessage message = reader.readSchema();
        message != null;
        message = reader.next()) {
      MemorySegment body = MemorySegment.ofArray(new byte[(int) reader.bodyRemaining()]);
      reader.readBodyPart(body);
      MessageHeader header =
          switch (message.message().header()) {
            case RecordBatchHeader batch -> change.apply(batch);
            case DictionaryBatchHeader(long id, RecordBatchHeader data, boolean delta) ->
                new DictionaryBatchHeader(id, change.apply(data), delta);
            case MessageHeader other -> other;
          };
      writer.write(header, customMetadata, body.byteSize());
      writer.write(body);
    }
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }
}
