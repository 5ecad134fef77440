package dev.quiver.transform;

import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.DictionaryFields;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.memory.Limits;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageHeader;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes messages with their bodies in another codec.
///
/// Buffers are decompressed and compressed one by one, and no array is looked at. Memory is what
/// the new body takes and one buffer, beyond the budget in a file.
public final class Recompression implements AutoCloseable {

  private final Schema schema;
  private final DictionaryFields dictionaryFields;
  private final @Nullable CompressionType codec;
  private final Limits limits;
  private final ScratchMemory bodyMemory;
  private final ScratchMemory bufferMemory;

  /// @param schema of the messages
  /// @param codec null for none
  /// @param scratchFolder where what takes too much memory goes
  public Recompression(
      Schema schema, @Nullable CompressionType codec, Limits limits, Path scratchFolder) {
    this.schema = schema;
    this.dictionaryFields = DictionaryFields.of(schema);
    this.codec = codec;
    this.limits = limits;
    this.bodyMemory = new ScratchMemory(scratchFolder);
    this.bufferMemory = new ScratchMemory(scratchFolder);
  }

  /// Writes a message that has been stored, as it is when its body is in the codec already, or when
  /// it has none.
  ///
  /// @param encapsulated a schema, dictionary or record batch in metadata version 5
  /// @return where it was written
  public Block write(EncapsulatedMessage encapsulated, MemorySegment body, MessageWriter writer)
      throws IOException {
    Message message = encapsulated.message();
    if (message.version() != MetadataVersion.V5) {
      throw new IllegalArgumentException("Expected a message in V5 but found " + message.version());
    }
    return switch (message.header()) {
      case RecordBatchHeader header when !isInCodec(header) -> {
        EncodedBody recoded = recoded(schema.fields(), header, body);
        yield write(recoded.header(), recoded, message, writer);
      }
      case DictionaryBatchHeader(long id, RecordBatchHeader data, boolean delta)
          when !isInCodec(data) -> {
        EncodedBody recoded = recoded(List.of(values(id)), data, body);
        MessageHeader header = new DictionaryBatchHeader(id, recoded.header(), delta);
        yield write(header, recoded, message, writer);
      }
      case RecordBatchHeader _,
          DictionaryBatchHeader _,
          MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ -> {
        Block block = writer.writeMetadata(encapsulated.metadata(), message.bodyLength());
        writer.write(body);
        yield block;
      }
    };
  }

  /// Writes a record batch of the buffers of a stored body that its header names, and no others.
  ///
  /// @param header with the nodes and buffers of the schema's fields
  /// @return where it was written
  public Block writeBatch(
      RecordBatchHeader header, Metadata customMetadata, MemorySegment body, MessageWriter writer)
      throws IOException {
    return writer.writeRecordBatch(recoded(schema.fields(), header, body), customMetadata);
  }

  @Override
  public void close() throws IOException {
    try (bodyMemory) {
      bufferMemory.close();
    }
  }

  private boolean isInCodec(RecordBatchHeader header) {
    return codec == (header.compression() == null ? null : header.compression().codec());
  }

  private Field values(long id) {
    return Objects.requireNonNull(dictionaryFields.values(id), () -> "dictionary " + id);
  }

  private EncodedBody recoded(List<Field> fields, RecordBatchHeader header, MemorySegment body) {
    bodyMemory.reset();
    return EncodedBody.recoded(fields, header, body, codec, bodyMemory, bufferMemory, limits);
  }

  private static Block write(
      MessageHeader header, EncodedBody body, Message message, MessageWriter writer)
      throws IOException {
    Block block = writer.write(header, message.customMetadata(), body.byteSize());
    body.writeTo(writer);
    return block;
  }
}
