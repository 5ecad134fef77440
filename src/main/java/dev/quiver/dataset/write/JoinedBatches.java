package dev.quiver.dataset.write;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.dataset.file.CanonicalWriter;
import dev.quiver.dataset.stored.BatchIndex;
import dev.quiver.dataset.stored.StoredLevel;
import dev.quiver.dataset.stored.StoredMessages;
import dev.quiver.dataset.stored.StoredVersion;
import dev.quiver.ipc.BodyCodecs;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
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
///
/// Each is read once. One that does not fit to those that wait stays where it is when these are
/// written, and those that come next are read into the other room.
final class JoinedBatches implements AutoCloseable {

  private final StoredVersion stored;
  private final StoredLevel level;
  private final StoredMessages messages;
  private final CanonicalWriter destination;
  private final long batchByteSize;
  private final RecordBatchReader reader;
  private final BatchJoiner waiting;
  private final ScratchMemory joinedMemory;
  private Room waitingRoom;

  /// Where the first that waits may be, alone.
  private Room firstRoom;

  private @Nullable EncapsulatedMessage onlyMessage;
  private MemorySegment onlyBody = MemorySegment.NULL;
  private Codec codec = Codec.NONE;
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
    this.waitingRoom = new Room(scratchFolder);
    this.firstRoom = new Room(scratchFolder);
    this.joinedMemory = new ScratchMemory(scratchFolder);
  }

  /// Takes the batch of an index in the version, which is written now or with others.
  void add(int index) throws IOException {
    Block block = stored.footer().recordBatches().get(index);
    EncapsulatedMessage message = messages.message(block, index);
    Codec own = BodyCodecs.of((RecordBatchHeader) message.message().header());
    if (block.bodyLength() >= batchByteSize / 2) {
      flush();
      write(message, messages.body(block, waitingRoom.arena, waitingRoom.memory));
      release();
      return;
    }
    if (waitingCount > 0 && own != codec) {
      flush();
    }
    MemorySegment body = messages.body(block, waitingRoom.arena, waitingRoom.memory);
    RecordBatch batch = reader.readBatch(message, body, waitingRoom.memory);
    if (!level.isSound(batch)) {
      writeJoined();
      write(message, body);
      release();
      return;
    }
    if (!waiting.add(batch)) {
      writeJoined();
      changeRooms();
      waiting.add(batch);
    }
    if (waitingCount == 0) {
      onlyMessage = message;
      onlyBody = body;
    }
    waitingCount++;
    codec = own;
  }

  /// Writes what waits.
  void flush() throws IOException {
    writeJoined();
    release();
  }

  @Override
  public void close() throws IOException {
    try (Room _ = waitingRoom;
        Room _ = firstRoom) {
      joinedMemory.close();
    }
  }

  /// Writes what waits. What was read besides, into the same room, lives on.
  private void writeJoined() throws IOException {
    EncapsulatedMessage only = onlyMessage;
    if (only == null) {
      return;
    }
    RecordBatch joined = waiting.join(joinedMemory);
    if (waitingCount == 1) {
      write(only, onlyBody);
    } else {
      destination.writeBatch(
          EncodedBody.of(joined.length(), joined.columns(), codec, joinedMemory),
          joined.customMetadata());
    }
    waitingCount = 0;
    onlyMessage = null;
    joinedMemory.reset();
  }

  private void changeRooms() {
    firstRoom.clear();
    Room cleared = firstRoom;
    firstRoom = waitingRoom;
    waitingRoom = cleared;
  }

  /// Ends the life of what was read, which nobody waits for.
  private void release() {
    waitingRoom.clear();
    firstRoom.clear();
  }

  private void write(EncapsulatedMessage message, MemorySegment body) throws IOException {
    destination.begin(message);
    destination.write(body);
  }

  /// Where batches live that are read.
  private static final class Room implements AutoCloseable {

    private final ScratchMemory memory;
    private Arena arena = Arena.ofConfined();

    Room(Path scratchFolder) {
      memory = new ScratchMemory(scratchFolder);
    }

    void clear() {
      arena.close();
      arena = Arena.ofConfined();
      memory.reset();
    }

    @Override
    public void close() throws IOException {
      arena.close();
      memory.close();
    }
  }
}
