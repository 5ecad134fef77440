package dev.quiver.dataset.read;

import dev.quiver.ipc.MessageWriter;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.transform.Recompression;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntToLongFunction;

/// Messages that other threads recompress while earlier ones are written, in their order.
///
/// Their bytes bound their number: the message to be written next is always in progress, further
/// ones only within a share of the memory for all transfers. Used by one thread.
final class MessagesAhead implements AutoCloseable {

  private static final long BYTE_SIZE_MAXIMUM = 32 << 20;
  private static final int COUNT_MAXIMUM = 16;

  private final int count;
  private final IntToLongFunction bodyByteSize;
  private final Path scratchFolder;
  private final List<Room> rooms = new ArrayList<>();
  private final Deque<Room> free = new ArrayDeque<>();
  private final Deque<Room> begun = new ArrayDeque<>();
  private int begunCount;
  private long begunByteSize;
  private long largestByteSize;

  /// Starts the recompression of a message.
  interface Beginning {

    /// @param index of the message
    /// @param arena open until the message is written
    /// @param memory valid until the message is written
    Recompression.Begun begin(int index, Arena arena, ScratchMemory memory) throws IOException;
  }

  /// @param count of all messages
  /// @param bodyByteSize the size of each stored body, which may have to be fetched although it
  ///   takes no memory
  MessagesAhead(int count, IntToLongFunction bodyByteSize, Path scratchFolder) {
    this.count = count;
    this.bodyByteSize = bodyByteSize;
    this.scratchFolder = scratchFolder;
  }

  /// Writes the next message, and starts later ones. A failure of any message is thrown when it is
  /// that message's turn to be written.
  Block writeNext(Beginning beginning, MessageWriter writer) throws IOException {
    while (mayBegin()) {
      begin(beginning);
    }
    Room room = begun.removeFirst();
    Block block = room.message.write(writer);
    begunByteSize -= room.byteSize;
    room.clear();
    free.add(room);
    return block;
  }

  /// Releases the memory of all messages; call it after the threads that use it have finished.
  @Override
  public void close() throws IOException {
    for (Room room : rooms) {
      room.close();
    }
  }

  private boolean mayBegin() {
    if (begunCount == count) {
      return false;
    }
    long share = Math.min(BYTE_SIZE_MAXIMUM, ScratchMemory.shareByteSize());
    return begun.isEmpty()
        || begun.size() < COUNT_MAXIMUM && begunByteSize + largestByteSize <= share;
  }

  private void begin(Beginning beginning) {
    Room room = free.poll();
    if (room == null) {
      room = new Room(new ScratchMemory(scratchFolder));
      rooms.add(room);
    }
    room.begin(beginning, begunCount);
    room.byteSize = Math.max(bodyByteSize.applyAsLong(begunCount), room.memory.usedByteSize());
    begunCount++;
    begun.add(room);
    begunByteSize += room.byteSize;
    largestByteSize = Math.max(largestByteSize, room.byteSize);
  }

  /// The memory of a message in progress.
  private static final class Room {

    private final ScratchMemory memory;
    private Arena arena = Arena.ofConfined();
    private long byteSize;
    private Recompression.Begun message =
        _ -> {
          throw new IllegalStateException("No message was begun");
        };

    Room(ScratchMemory memory) {
      this.memory = memory;
    }

    void begin(Beginning beginning, int index) {
      try {
        message = beginning.begin(index, arena, memory);
      } catch (IOException e) {
        message =
            _ -> {
              throw e;
            };
      } catch (RuntimeException e) {
        message =
            _ -> {
              throw e;
            };
      }
    }

    void clear() {
      arena.close();
      arena = Arena.ofConfined();
      memory.reset();
    }

    void close() throws IOException {
      arena.close();
      memory.close();
    }
  }
}
