package dev.quiver.sql.execution;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The record batches of a result, one at a time. Used by one thread.
public final class ResultBatches implements AutoCloseable {

  private final MessageReader messages;
  private final RecordBatchReader reader;
  private final ScratchMemory dictionaryMemory;
  private final ScratchMemory batchMemory;
  private long rowCount;

  private ResultBatches(MessageReader messages, RecordBatchReader reader, Path scratchFolder) {
    this.messages = messages;
    this.reader = reader;
    this.dictionaryMemory = new ScratchMemory(scratchFolder);
    this.batchMemory = new ScratchMemory(scratchFolder);
  }

  /// Reads the schema.
  ///
  /// @param stream the result as an IPC stream
  public static ResultBatches of(ByteSource stream, Path scratchFolder) throws IOException {
    MessageReader messages = new MessageReader(stream, Limits.DEFAULT);
    Schema schema = MessageReader.schemaOf(messages.readSchema());
    return new ResultBatches(
        messages, new RecordBatchReader(schema, Limits.DEFAULT), scratchFolder);
  }

  public Schema schema() {
    return reader.schema();
  }

  /// Reads the next batch, which lives until another one is read.
  ///
  /// @return null at the end
  /// @throws SqlException if the statement fails
  public @Nullable RecordBatch next() throws IOException {
    batchMemory.reset();
    return read();
  }

  /// Reads all batches, which live until this is closed.
  ///
  /// @throws SqlException if the statement fails
  public List<RecordBatch> all() throws IOException {
    List<RecordBatch> batches = new ArrayList<>();
    for (RecordBatch batch = read(); batch != null; batch = read()) {
      batches.add(batch);
    }
    return batches;
  }

  private @Nullable RecordBatch read() throws IOException {
    EncapsulatedMessage message = messages.next();
    while (message != null
        && message.message().header() instanceof MessageHeader.DictionaryBatchHeader) {
      reader.readDictionary(message, body(message, dictionaryMemory), dictionaryMemory);
      message = messages.next();
    }
    if (message == null) {
      return null;
    }
    RecordBatch batch = reader.readBatch(message, body(message, batchMemory), batchMemory);
    rowCount += batch.length();
    return batch;
  }

  /// Returns the number of rows that were read: all of the result once its end was.
  public long rowCount() {
    return rowCount;
  }

  private MemorySegment body(EncapsulatedMessage message, ScratchMemory memory) throws IOException {
    MemorySegment body = memory.allocate(message.message().bodyLength(), Framing.BODY_ALIGNMENT);
    messages.readBodyPart(body);
    return body;
  }

  @Override
  public void close() throws IOException {
    try (dictionaryMemory) {
      batchMemory.close();
    }
  }
}
