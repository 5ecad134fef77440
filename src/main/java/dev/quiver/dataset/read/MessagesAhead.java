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

/// Messages that other threads recompress while earlier ones are written, in order.
///
/// The message to be written next is always in progress. Later ones are begun only while all of
/// them fit into a share of the memory for all transfers. Used by one thread.
final class MessagesAhead implements AutoCloseable {

  private static final long BYTE_SIZE_MAXIMUM = 32 << 20;
  private static final int COUNT_MAXIMUM = 16;

  private final int count;
  private final IntToLongFunction bodyByteSize;
  private final Path scratchFolder;
  private final List<Slot> slots = new ArrayList<>();
  private final Deque<Slot> free = new ArrayDeque<>();
  private final Deque<Slot> begun = new ArrayDeque<>();
  private int begunCount;
  private long begunByteSize;
  private long largestByteSize;

  /// Starts the recompression of a message.
  interface Beginning {

    /// @param index the index of the message
    /// @param arena an arena that is open until the message is written
    /// @param memory memory that is valid until the message is written
    Recompression.Begun begin(int index, Arena arena, ScratchMemory memory) throws IOException;
  }

  /// @param count the number of all messages
  /// @param bodyByteSize returns the size of each stored body, which counts even if it is mapped,
  ///   since it may have to be fetched
  MessagesAhead(int count, IntToLongFunction bodyByteSize, Path scratchFolder) {
    this.count = count;
    this.bodyByteSize = bodyByteSize;
    this.scratchFolder = scratchFolder;
  }

  /// Writes the next message, and starts later ones. The failure of a message is thrown when that
  /// message is to be written.
  Block writeNext(Beginning beginning, MessageWriter writer) throws IOException {
    while (mayBegin()) {
      begin(beginning);
    }
    Slot slot = begun.removeFirst();
    Block block = slot.message.write(writer);
    begunByteSize -= slot.byteSize;
    slot.clear();
    free.add(slot);
    return block;
  }

  /// Releases the memory of all messages; call it after the threads that use it have finished.
  @Override
  public void close() throws IOException {
    for (Slot slot : slots) {
      slot.close();
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
    Slot slot = free.poll();
    if (slot == null) {
      slot = new Slot(new ScratchMemory(scratchFolder));
      slots.add(slot);
    }
    slot.begin(beginning, begunCount);
    slot.byteSize = Math.max(bodyByteSize.applyAsLong(begunCount), slot.memory.usedByteSize());
    begunCount++;
    begun.add(slot);
    begunByteSize += slot.byteSize;
    largestByteSize = Math.max(largestByteSize, slot.byteSize);
  }

  /// The memory of a message in progress.
  private static final class Slot {

    private final ScratchMemory memory;
    private Arena arena = Arena.ofConfined();
    private long byteSize;
    private Recompression.Begun message =
        _ -> {
          throw new IllegalStateException("No message was begun");
        };

    Slot(ScratchMemory memory) {
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
