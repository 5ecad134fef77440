package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A writer of tables `RecordBatch` and `DictionaryBatch` of Message.fbs.
final class RecordBatchHeaderWriter {

  private RecordBatchHeaderWriter() {}

  static int write(FlatWriter writer, RecordBatchHeader header) {
    int nodes = writeNodes(writer, header.nodes());
    int buffers = writeBuffers(writer, header.buffers());
    int compression = writeCompression(writer, header.compression());
    List<Long> counts = header.variadicBufferCounts();
    int variadicBufferCounts = counts.isEmpty() ? 0 : writer.int64s(counts);
    return writer
        .begin()
        .number(RECORD_BATCH_LENGTH, header.length())
        .reference(RECORD_BATCH_NODES, nodes)
        .reference(RECORD_BATCH_BUFFERS, buffers)
        .reference(RECORD_BATCH_COMPRESSION, compression)
        .reference(RECORD_BATCH_VARIADIC_BUFFER_COUNTS, variadicBufferCounts)
        .end();
  }

  static int writeDictionary(FlatWriter writer, DictionaryBatchHeader header) {
    int data = write(writer, header.data());
    return writer
        .begin()
        .number(DICTIONARY_BATCH_ID, header.id())
        .reference(DICTIONARY_BATCH_DATA, data)
        .flag(DICTIONARY_BATCH_IS_DELTA, header.delta())
        .end();
  }

  private static int writeNodes(FlatWriter writer, List<FieldNode> nodes) {
    return writer.vector(
        nodes.size(),
        FIELD_NODE_BYTE_SIZE,
        i -> {
          writer.addInt64(nodes.get(i).nullCount());
          writer.addInt64(nodes.get(i).length());
        });
  }

  private static int writeBuffers(FlatWriter writer, List<Buffer> buffers) {
    return writer.vector(
        buffers.size(),
        BUFFER_BYTE_SIZE,
        i -> {
          writer.addInt64(buffers.get(i).length());
          writer.addInt64(buffers.get(i).offset());
        });
  }

  private static int writeCompression(FlatWriter writer, @Nullable BodyCompression compression) {
    return compression == null
        ? 0
        : writer.begin().number(BODY_COMPRESSION_CODEC, compression.codec().ordinal()).end();
  }
}
