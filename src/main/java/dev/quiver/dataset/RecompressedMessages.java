package dev.quiver.dataset;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.Framing;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.memory.ByteSink;
import dev.quiver.memory.InputException;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.CompressionType;
import dev.quiver.transform.Recompression;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages of a version with all bodies in one codec, made while they are written.
///
/// One message is in memory at a time: its body is mapped where it is stored, and the new one is in
/// working memory, which is a file when it is large. Written once, by one thread.
public final class RecompressedMessages {

  /// Changes whenever other bytes are written for the same data and codec.
  public static final int FORMAT_NUMBER = 1;

  private final StoredMessages messages;
  private final BatchIndex index;
  private final Block schemaBlock;
  private final @Nullable CompressionType codec;
  private final Path scratchFolder;
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private long messageCount;
  private long messagesEnd = -1;
  private long lastBodyEnd;

  RecompressedMessages(
      SnapshotBytes bytes,
      BatchIndex index,
      ByteRange schemaMessage,
      @Nullable CompressionType codec,
      Path scratchFolder) {
    this.messages = new StoredMessages(bytes);
    this.index = index;
    int schemaByteSize = Math.toIntExact(schemaMessage.byteSize());
    this.schemaBlock = new Block(schemaMessage.byteOffset(), schemaByteSize, 0);
    this.codec = codec;
    this.scratchFolder = scratchFolder;
  }

  /// Writes the IPC file: all batches, and a footer that has them where they now are.
  ///
  /// @throws UnsupportedInputException when buffers of a stored body overlap, so that a small one
  ///   could become a large one
  public void writeFile(ByteSink sink) throws IOException {
    MessageWriter writer = new MessageWriter(sink);
    writer.writeFileHeader();
    write(index.footer().recordBatches(), writer);
    writer.writeFooter(index.footerAt(dictionaries, recordBatches));
  }

  /// Writes the record batches `from` to `to`, both included, as an IPC stream of their own.
  ///
  /// @param to may be one less than `from`: no batches
  /// @throws UnsupportedInputException as [#writeFile]
  public void writeStream(long from, long to, ByteSink sink) throws IOException {
    List<Block> batches = index.footer().recordBatches().subList((int) from, (int) to + 1);
    write(batches, new MessageWriter(sink));
  }

  /// The end of the last body that was written whole; 0 before there is one. What was written up to
  /// a byte before it ends within a body.
  public long lastBodyEnd() {
    return lastBodyEnd;
  }

  /// What is to follow the bytes written so far when there will be no more, so that no reader takes
  /// them for all: between messages the header of a record batch whose body never comes.
  ///
  /// @param position bytes written so far
  public MemorySegment unfinishedMessage(long position) throws IOException {
    if (position != messagesEnd) {
      return MemorySegment.NULL;
    }
    Schema schema = index.footer().schema();
    List<ArrayData> columns = schema.fields().stream().map(ArrayData::empty).toList();
    ByteArrayOutputStream bytesOfHeader = new ByteArrayOutputStream();
    MessageWriter writer =
        new MessageWriter(segment -> bytesOfHeader.write(segment.toArray(LittleEndian.INT8)));
    try (Arena arena = Arena.ofConfined()) {
      EncodedBody body = EncodedBody.of(0, columns, null, arena);
      writer.write(body.header(), Metadata.EMPTY, body.byteSize() + Framing.BODY_ALIGNMENT);
    }
    return MemorySegment.ofArray(bytesOfHeader.toByteArray());
  }

  private void write(List<Block> batches, MessageWriter writer) throws IOException {
    Schema schema = index.footer().schema();
    try (ScratchMemory bodyMemory = new ScratchMemory(scratchFolder);
        Recompression recompression =
            new Recompression(schema, codec, BatchIndex.STORED, scratchFolder)) {
      Output output = new Output(writer, recompression, bodyMemory);
      write(schemaBlock, output);
      for (Block block : index.footer().dictionaries()) {
        dictionaries.add(write(block, output));
      }
      for (Block block : batches) {
        recordBatches.add(write(block, output));
      }
    }
    writer.writeEndOfStream();
  }

  private record Output(
      MessageWriter writer, Recompression recompression, ScratchMemory bodyMemory) {}

  private Block write(Block stored, Output output) throws IOException {
    output.bodyMemory.reset();
    try (Arena arena = Arena.ofConfined()) {
      EncapsulatedMessage message = messages.message(stored, messageCount);
      MemorySegment body = messages.body(stored, arena, output.bodyMemory);
      Block written = output.recompression.write(message, body, output.writer);
      messageCount++;
      messagesEnd = output.writer.position();
      lastBodyEnd = written.bodyLength() > 0 ? messagesEnd : lastBodyEnd;
      return written;
    } catch (UnsupportedInputException e) {
      throw e;
    } catch (InputException e) {
      throw StoredMessages.damaged(e);
    }
  }
}
