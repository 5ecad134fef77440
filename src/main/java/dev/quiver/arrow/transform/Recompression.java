package dev.quiver.arrow.transform;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.Recoding;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;

/// A recompression of the bodies of messages: several buffers at a time, and later messages while
/// earlier ones are written. Arrays are not decoded.
///
/// Used by one thread.
public final class Recompression implements AutoCloseable {

  private final Schema schema;
  private final DictionaryFields dictionaryFields;
  private final Codec codec;
  private final Limits limits;
  private final TaskQueue queue = CpuPool.PROCESS.queue();

  /// A message in progress.
  public interface Begun {

    /// Writes the message as soon as it is complete.
    ///
    /// @return the position of the message
    /// @throws InputException if the body does not match its header
    Block write(MessageWriter writer) throws IOException;
  }

  /// @param schema of the messages
  /// @param codec of all written bodies
  public Recompression(Schema schema, Codec codec, Limits limits) {
    this.schema = schema;
    this.dictionaryFields = DictionaryFields.of(schema);
    this.codec = codec;
    this.limits = limits;
  }

  /// Starts a stored message. It is written unchanged if its body is empty or already in the codec.
  ///
  /// @param encapsulated a schema, dictionary or record batch in metadata version 5
  /// @param memory for the new body; like `body`, it must live until the message is written or this
  ///   is closed
  public Begun begin(
      EncapsulatedMessage encapsulated, MemorySegment body, SegmentAllocator memory) {
    Message message = encapsulated.message();
    if (message.version() != MetadataVersion.V5) {
      throw new IllegalArgumentException("Expected a message in V5 but found " + message.version());
    }
    return switch (message.header()) {
      case RecordBatchHeader header when !isInCodec(header) -> {
        Recoding recoding = begin(schema.fields(), header, body, memory);
        yield writer -> {
          EncodedBody recoded = recoding.finish();
          return write(recoded.header(), recoded, message, writer);
        };
      }
      case DictionaryBatchHeader(long id, RecordBatchHeader data, boolean delta)
          when !isInCodec(data) -> {
        Recoding recoding = begin(List.of(values(id)), data, body, memory);
        yield writer -> {
          EncodedBody recoded = recoding.finish();
          MessageHeader header = new DictionaryBatchHeader(id, recoded.header(), delta);
          return write(header, recoded, message, writer);
        };
      }
      case RecordBatchHeader _,
          DictionaryBatchHeader _,
          MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ ->
          writer -> {
            Block block = writer.writeMetadata(encapsulated.metadata(), message.bodyLength());
            writer.write(body);
            return block;
          };
    };
  }

  /// Starts a record batch of those buffers of a stored body that its header names. Buffers already
  /// in the codec stay as they are.
  ///
  /// @param header with the nodes and buffers of the schema's fields
  /// @param memory as in [#begin]
  public Begun beginBatch(
      RecordBatchHeader header,
      Metadata customMetadata,
      MemorySegment body,
      SegmentAllocator memory) {
    Recoding recoding = begin(schema.fields(), header, body, memory);
    return writer -> writer.writeRecordBatch(recoding.finish(), customMetadata);
  }

  /// Discards messages that were started but not written. Afterwards no thread uses their memory.
  @Override
  public void close() {
    queue.close();
  }

  private boolean isInCodec(RecordBatchHeader header) {
    return codec == BodyCodecs.of(header);
  }

  private Field values(long id) {
    return Objects.requireNonNull(dictionaryFields.values(id), () -> "dictionary " + id);
  }

  private Recoding begin(
      List<Field> fields, RecordBatchHeader header, MemorySegment body, SegmentAllocator memory) {
    return Recoding.begin(fields, header, body, codec, memory, limits, queue);
  }

  private static Block write(
      MessageHeader header, EncodedBody body, Message message, MessageWriter writer)
      throws IOException {
    Block block = writer.write(header, message.customMetadata(), body.byteSize());
    body.writeTo(writer);
    return block;
  }
}
