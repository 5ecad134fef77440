package dev.quiver.dataset;

import dev.quiver.columnar.RecordBatch;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.transform.BatchJoiner;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Record batches of a version, written in order: those that follow one another and are small
/// become one, others stay byte for byte, and so do those with values that are wrong, which nobody
/// has looked at yet.
final class JoinedBatches implements AutoCloseable {

  private final StoredVersion stored;
  private final StoredLevel level;
  private final StoredMessages messages;
  private final CanonicalWriter destination;
  private final long batchByteSize;
  private final RecordBatchReader reader;
  private final BatchJoiner waiting;
  private final ScratchMemory waitingMemory;
  private final ScratchMemory joinedMemory;
  private Arena waitingArena = Arena.ofConfined();
  private @Nullable EncapsulatedMessage onlyMessage;
  private MemorySegment onlyBody = MemorySegment.NULL;
  private @Nullable CompressionType codec;
  private int waitingCount;

  /// @param batchByteSize what the body of a joined batch has at most, not compressed
  JoinedBatches(
      StoredVersion stored, CanonicalWriter destination, long batchByteSize, Path scratchFolder) {
    this.stored = stored;
    this.level = new StoredLevel(stored.summary());
    this.messages = stored.messages();
    this.destination = destination;
    this.batchByteSize = batchByteSize;
    this.reader = new RecordBatchReader(stored.schema(), BatchIndex.STORED);
    this.waiting = new BatchJoiner(batchByteSize);
    this.waitingMemory = new ScratchMemory(scratchFolder);
    this.joinedMemory = new ScratchMemory(scratchFolder);
  }

  /// Takes the batch of an index in the version, which is written now or with others.
  void add(int index) throws IOException {
    Block block = stored.footer().recordBatches().get(index);
    EncapsulatedMessage message = messages.message(block, index);
    CompressionType own = StoredCodec.own((RecordBatchHeader) message.message().header());
    if (block.bodyLength() >= batchByteSize / 2) {
      flush();
      copy(block, message);
      return;
    }
    if (waitingCount > 0 && own != codec) {
      flush();
    }
    RecordBatch batch = read(block, message);
    if (!level.isSound(batch)) {
      flush();
      release();
      copy(block, message);
      return;
    }
    if (!waiting.add(batch)) {
      flush();
      waiting.add(read(block, message));
    }
    if (waitingCount == 0) {
      onlyMessage = message;
    }
    waitingCount++;
    codec = own;
  }

  /// Writes what waits.
  void flush() throws IOException {
    EncapsulatedMessage only = onlyMessage;
    if (waitingCount == 0 || only == null) {
      return;
    }
    RecordBatch joined = waiting.join(joinedMemory);
    if (waitingCount == 1) {
      destination.begin(only);
      destination.write(onlyBody);
    } else {
      destination.writeBatch(
          EncodedBody.of(joined.length(), joined.columns(), codec, joinedMemory),
          joined.customMetadata());
    }
    waitingCount = 0;
    onlyMessage = null;
    release();
  }

  /// Ends the life of what was read, which nobody waits for.
  private void release() {
    waitingArena.close();
    waitingArena = Arena.ofConfined();
    waitingMemory.reset();
    joinedMemory.reset();
  }

  @Override
  public void close() throws IOException {
    waitingArena.close();
    try (waitingMemory) {
      joinedMemory.close();
    }
  }

  /// Reads a batch, which lives until the next [#flush].
  private RecordBatch read(Block block, EncapsulatedMessage message) throws IOException {
    MemorySegment body = messages.body(block, waitingArena, waitingMemory);
    if (waitingCount == 0) {
      onlyBody = body;
    }
    return reader.readBatch(message, body, waitingMemory);
  }

  private void copy(Block block, EncapsulatedMessage message) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      destination.begin(message);
      destination.write(messages.body(block, arena, waitingMemory));
    }
    waitingMemory.reset();
  }
}
