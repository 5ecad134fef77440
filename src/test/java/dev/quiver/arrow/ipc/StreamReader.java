package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A reader of the record batches of a stream, each of them whole in memory.
///
/// A batch lives until the next one is read, a dictionary as long as anything refers to it.
public final class StreamReader implements AutoCloseable {

  private final MessageReader messages;
  private final RecordBatchReader batches;
  private @Nullable Arena batchArena;

  /// Reads the schema.
  public StreamReader(ByteSource source, Limits limits) throws IOException {
    this.messages = new MessageReader(source, limits);
    this.batches = new RecordBatchReader(MessageReader.schemaOf(messages.readSchema()), limits);
  }

  public Schema schema() {
    return batches.schema();
  }

  /// Returns the next batch, or null at the end of the stream.
  public @Nullable RecordBatch next() throws IOException {
    while (true) {
      EncapsulatedMessage message = messages.next();
      if (message == null) {
        return null;
      }
      if (message.message().header() instanceof MessageHeader.DictionaryBatchHeader) {
        batches.requireKnown(message);
        // A dictionary lives until it is replaced and no batch refers to it.
        Arena arena = Arena.ofAuto();
        batches.readDictionary(message, readBody(arena), arena);
      } else {
        closeBatch();
        batchArena = Arena.ofShared();
        return batches.readBatch(message, readBody(batchArena), batchArena);
      }
    }
  }

  @Override
  public void close() {
    closeBatch();
  }

  private void closeBatch() {
    if (batchArena != null) {
      batchArena.close();
      batchArena = null;
    }
  }

  private MemorySegment readBody(Arena arena) throws IOException {
    return GrowingBody.read(messages, arena);
  }
}
