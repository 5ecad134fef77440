package dev.quiver.store.read;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.transform.Recompression;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.store.file.SnapshotBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The selected messages of a version with all bodies in one codec, recompressed while they are
/// written.
///
/// A few messages are in memory at a time, or a single large one. Stored bodies are mapped.
/// Recompressed ones are in working memory, which is a file if they are large. One thread writes
/// the messages, once, while other threads compress.
///
/// A change that yields different bytes for the same data and codec needs a new number in entity
/// tags (`TagVariant`).
public final class RecompressedMessages {

  private final SelectedMessages messages;
  private final @Nullable ReducedDictionaries reduced;
  private final Codec codec;
  private final Path scratchFolder;
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private @Nullable MessageWriter current;
  private long messagesEnd = -1;
  private long lastBodyEnd;

  /// @param reduced null if dictionaries have all values
  RecompressedMessages(
      SelectedMessages messages,
      @Nullable ReducedDictionaries reduced,
      Codec codec,
      Path scratchFolder) {
    this.messages = messages;
    this.reduced = reduced;
    this.codec = codec;
    this.scratchFolder = scratchFolder;
  }

  /// Writes the IPC file: all batches, and a footer with their new positions.
  ///
  /// @throws UnsupportedInputException if buffers of a stored body overlap, so that a small body
  ///   could become a large one
  public void writeFile(ByteSink sink) throws IOException {
    prepare();
    MessageWriter writer = new MessageWriter(sink);
    writer.writeFileHeader();
    write(0, messages.batchCount(), writer);
    writer.writeFooter(messages.footerAt(dictionaries, recordBatches));
  }

  /// Writes the record batches `from` to `to`, both included, as an IPC stream of their own.
  ///
  /// @param to one less than `from` for no batches
  /// @throws UnsupportedInputException as [#writeFile]
  public void writeStream(long from, long to, ByteSink sink) throws IOException {
    prepare();
    Objects.checkFromToIndex(from, to + 1, messages.batchCount());
    write((int) from, (int) to + 1, new MessageWriter(sink));
  }

  /// Returns the last position inside a body, before its end and at most `position`, or -1 if
  /// absent.
  ///
  /// @param position at least the position at which the current message started
  public long lastWithinBody(long position) {
    Block message = current == null ? new Block(0, 0, 0) : current.last();
    boolean inBody =
        message.bodyLength() > 0 && position >= message.offset() + message.metaDataLength();
    return inBody ? Math.min(position, message.end() - 1) : lastBodyEnd - 1;
  }

  /// Returns the end of the last complete body, or 0 if absent.
  long lastBodyEnd() {
    return lastBodyEnd;
  }

  /// Returns the bytes that must follow a truncated response, so that no reader mistakes it for a
  /// complete one. Between messages, that is the header of a record batch whose body never follows.
  ///
  /// @param position the number of bytes written so far
  public MemorySegment unfinishedMessage(long position) throws IOException {
    if (position != messagesEnd) {
      return MemorySegment.NULL;
    }
    List<ArrayData> columns = messages.schema().fields().stream().map(ArrayData::empty).toList();
    ByteArrayOutputStream bytesOfHeader = new ByteArrayOutputStream();
    MessageWriter writer =
        new MessageWriter(segment -> bytesOfHeader.write(segment.toArray(LittleEndian.INT8)));
    try (Arena arena = Arena.ofConfined()) {
      EncodedBody body = EncodedBody.of(0, columns, Codec.NONE, arena);
      writer.write(body.header(), Metadata.EMPTY, body.byteSize() + Framing.BODY_ALIGNMENT);
    }
    return MemorySegment.ofArray(bytesOfHeader.toByteArray());
  }

  /// Does the work that may fail before the first byte, since the failure is then a proper
  /// response.
  private void prepare() throws IOException {
    messages.bytes().chargeDecoding();
    if (reduced != null) {
      reduced.read();
    }
  }

  private void write(int from, int end, MessageWriter writer) throws IOException {
    List<Block> stored = messages.dictionaries();
    int dictionaryCount = stored.size();
    int count = dictionaryCount + end - from;
    RecordBatchReader reader = new RecordBatchReader(messages.schema(), Limits.ACCEPTED);
    current = writer;
    messages.writeSchema(writer);
    recordMessage(writer, 0);
    IntFunction<Block> block =
        index ->
            index < dictionaryCount
                ? stored.get(index)
                : messages.block(index - dictionaryCount + from);
    // Closes the memory after the threads that use it.
    try (MessagesAhead<Block> ahead =
            new MessagesAhead<>(count, index -> block.apply(index).bodyLength(), scratchFolder);
        Recompression recompression = new Recompression(messages.schema(), codec, Limits.ACCEPTED);
        TaskQueue queue = CpuPool.PROCESS.queue()) {
      MessagesAhead.Beginning<Block> beginning =
          (index, arena, memory) -> {
            Recompression.Begun message =
                index < dictionaryCount
                    ? beginDictionary(index, recompression, arena, memory)
                    : beginBatch(
                        index - dictionaryCount + from,
                        reader,
                        recompression,
                        arena,
                        memory,
                        queue);
            return () -> message.write(writer);
          };
      for (int index = 0; index < count; index++) {
        Block written = writeNext(ahead, beginning, writer);
        (index < dictionaryCount ? dictionaries : recordBatches).add(written);
      }
    }
    writer.writeEndOfStream();
  }

  private Block writeNext(
      MessagesAhead<Block> ahead, MessagesAhead.Beginning<Block> beginning, MessageWriter writer)
      throws IOException {
    try {
      Block written = ahead.finishNext(beginning);
      recordMessage(writer, written.bodyLength());
      return written;
    } catch (UnsupportedInputException e) {
      throw e;
    } catch (InputException e) {
      throw SnapshotBytes.damaged(e);
    }
  }

  private void recordMessage(MessageWriter writer, long bodyLength) {
    messagesEnd = writer.position();
    lastBodyEnd = bodyLength > 0 ? messagesEnd : lastBodyEnd;
  }

  private Recompression.Begun beginDictionary(
      int index, Recompression recompression, Arena arena, ScratchMemory memory)
      throws IOException {
    if (reduced != null) {
      long id = messages.dictionary(index).id();
      EncodedBody body = reduced.body(index, codec, memory);
      return writer -> writer.writeDictionary(id, body);
    }
    Block block = messages.dictionaries().get(index);
    MemorySegment body = messages.bytes().body(block, arena, memory);
    return recompression.begin(messages.bytes().message(block, index), body, memory);
  }

  private Recompression.Begun beginBatch(
      int batch,
      RecordBatchReader reader,
      Recompression recompression,
      Arena arena,
      ScratchMemory memory,
      TaskQueue queue)
      throws IOException {
    if (!messages.hasStoredBuffers(batch)) {
      var gathered = messages.begin(batch, reader, arena, memory, queue, false);
      return writer -> {
        RecordBatch rows = gathered.await().batch();
        RecordBatch selected = reduced == null ? rows : reduced.rewritten(rows, memory);
        EncodedBody body = EncodedBody.of(selected.length(), selected.columns(), codec, memory);
        return writer.writeRecordBatch(body, selected.customMetadata());
      };
    }
    EncapsulatedMessage message = messages.message(batch);
    RecordBatchHeader header = (RecordBatchHeader) message.message().header();
    MemorySegment body = messages.bytes().body(messages.block(batch), header, arena, memory);
    if (messages.isStored(batch)) {
      return recompression.begin(message, body, memory);
    }
    return recompression.beginBatch(header, message.message().customMetadata(), body, memory);
  }
}
