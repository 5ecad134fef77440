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

/// Messages that are brought into another codec while those before are written, in their order.
///
/// How many there are at a time, their bytes bound: at least the one that is to be written, further
/// ones within a share of the memory that all have. Used by one thread.
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

  /// What begins with a message.
  interface Beginning {

    /// @param index of the message
    /// @param arena that lives until the message is written
    /// @param memory that does, too
    Recompression.Begun begin(int index, Arena arena, ScratchMemory memory) throws IOException;
  }

  /// @param count of all messages
  /// @param bodyByteSize of the body of each as it is stored, which may have to be fetched,
  ///   although it takes no memory
  MessagesAhead(int count, IntToLongFunction bodyByteSize, Path scratchFolder) {
    this.count = count;
    this.bodyByteSize = bodyByteSize;
    this.scratchFolder = scratchFolder;
  }

  /// Writes the next message, and begins with those after it. What is wrong with any of them is
  /// thrown when its turn comes.
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

  /// To be called when nobody uses the memory of messages that were begun.
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

  /// Where a message and all that is made for it live.
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
