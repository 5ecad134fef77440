package dev.quiver.store.read;

import dev.quiver.arrow.parallel.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntToLongFunction;

/// Messages that other threads process while the results of earlier ones are used, in order.
///
/// The message whose result is used next is always in progress. Later ones are begun only while all
/// of them fit into a share of the memory for all transfers. Used by one thread.
final class MessagesAhead<R> implements AutoCloseable {

  private static final long BYTE_SIZE_MAXIMUM = 32 << 20;
  private static final int COUNT_MAXIMUM = 16;

  private final int count;
  private final IntToLongFunction bodyByteSize;
  private final Path scratchFolder;
  private final List<Slot<R>> slots = new ArrayList<>();
  private final Deque<Slot<R>> free = new ArrayDeque<>();
  private final Deque<Slot<R>> begun = new ArrayDeque<>();
  private int begunCount;
  private long begunByteSize;
  private long largestByteSize;

  /// Starts the work on a message.
  interface Beginning<R> {

    /// @param index the index of the message
    /// @param arena an arena that is open until the message is finished
    /// @param memory shared memory that is valid until the message is finished
    Begun<R> begin(int index, Arena arena, ScratchMemory memory) throws IOException;
  }

  /// A message in progress.
  interface Begun<R> {

    /// Waits for the work, and uses its result.
    R finish() throws IOException;
  }

  /// @param count the number of all messages
  /// @param bodyByteSize returns the size of each stored body, which counts even if it is mapped,
  ///   since it may have to be fetched
  MessagesAhead(int count, IntToLongFunction bodyByteSize, Path scratchFolder) {
    this.count = count;
    this.bodyByteSize = bodyByteSize;
    this.scratchFolder = scratchFolder;
  }

  /// Finishes the next message, and starts later ones. The failure of a message is thrown when that
  /// message is to be finished.
  R finishNext(Beginning<R> beginning) throws IOException {
    while (mayBegin()) {
      begin(beginning);
    }
    Slot<R> slot = begun.removeFirst();
    R result = slot.message.finish();
    begunByteSize -= slot.byteSize;
    slot.clear();
    free.add(slot);
    return result;
  }

  /// Releases the memory of all messages; call it after the threads that use it have finished.
  @Override
  public void close() throws IOException {
    for (Slot<R> slot : slots) {
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

  private void begin(Beginning<R> beginning) {
    Slot<R> slot = free.poll();
    if (slot == null) {
      slot = new Slot<>(ScratchMemory.shared(scratchFolder));
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
  private static final class Slot<R> {

    private final ScratchMemory memory;
    private Arena arena = Arena.ofConfined();
    private long byteSize;
    private Begun<R> message =
        () -> {
          throw new IllegalStateException("No message was begun");
        };

    Slot(ScratchMemory memory) {
      this.memory = memory;
    }

    void begin(Beginning<R> beginning, int index) {
      try {
        message = beginning.begin(index, arena, memory);
      } catch (IOException e) {
        message =
            () -> {
              throw e;
            };
      } catch (RuntimeException e) {
        message =
            () -> {
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
