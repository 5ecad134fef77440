package dev.quiver.ipc;

import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.Limits;
import dev.quiver.metadata.MessageHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Reads the record batches of a stream, each whole in memory.
///
/// Batches live until the next one is read; dictionaries until the reader is closed.
public final class StreamReader implements AutoCloseable {

  private final MessageReader messages;
  private final RecordBatchReader batches;
  private final Arena dictionaryArena = Arena.ofShared();
  private @Nullable Arena batchArena;

  /// Reads the schema.
  public StreamReader(ByteSource source, Limits limits) throws IOException {
    this.messages = new MessageReader(source, limits);
    this.batches = new RecordBatchReader(MessageReader.schemaOf(messages.readSchema()), limits);
  }

  public Schema schema() {
    return batches.schema();
  }

  /// The next batch, or null at the end of the stream.
  public @Nullable RecordBatch next() throws IOException {
    while (true) {
      EncapsulatedMessage message = messages.next();
      if (message == null) {
        return null;
      }
      if (message.message().header() instanceof MessageHeader.DictionaryBatchHeader) {
        batches.requireNew(message);
        batches.readDictionary(message, readBody(dictionaryArena), dictionaryArena);
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
    dictionaryArena.close();
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
