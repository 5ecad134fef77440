package dev.quiver.formats.json;

import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.TaskQueue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The results of the blocks of a file, in order. Records are found a few blocks ahead, and the
/// cores of a pool read their values meanwhile. Used by one thread.
final class JsonBlocks<T> implements AutoCloseable {

  /// The blocks that are read at a time. Beyond these, the search for their records decides.
  static final int COUNT_MAXIMUM = 5;

  private final JsonContent content;
  private final JsonScanner scanner;
  private final Supplier<BlockReader<T>> readers;
  private int slotCountMaximum;
  private final TaskQueue tasks;
  private final List<Slot<T>> slots = new ArrayList<>();
  private final Deque<Slot<T>> free = new ArrayDeque<>();
  private final Deque<Slot<T>> waiting = new ArrayDeque<>();

  /// The block whose result was returned last.
  private @Nullable Slot<T> current;

  private boolean ended;

  /// A reader of one block at a time, whose memory is reused for later ones.
  interface BlockReader<T> {

    /// Reads a block, or the next part of one.
    ///
    /// @throws JsonErrors.Fault if the text is not as it should be
    T read(JsonBlock block) throws IOException;

    /// Returns whether the block has another part.
    default boolean hasMore() {
      return false;
    }

    default void close() throws IOException {}
  }

  private static final class Slot<T> {

    private final JsonBlock block = new JsonBlock();
    private final BlockReader<T> reader;
    private TaskQueue.@Nullable Result<T> result;

    Slot(BlockReader<T> reader) {
      this.reader = reader;
    }

    /// Returns the result, which this no longer holds.
    TaskQueue.Result<T> takeResult() {
      TaskQueue.Result<T> taken = Objects.requireNonNull(result);
      result = null;
      return taken;
    }
  }

  /// @param scanner closed with this
  /// @param blockCount the blocks that are read at a time at most
  /// @param readers returns a reader for each block that is read at a time
  JsonBlocks(
      JsonContent content,
      JsonScanner scanner,
      CpuPool pool,
      int blockCount,
      Supplier<BlockReader<T>> readers) {
    this.content = content;
    this.scanner = scanner;
    this.readers = readers;
    this.tasks = pool.queue();
    this.slotCountMaximum = Math.min(pool.count() + 1, blockCount);
  }

  /// Returns the result of the next block or part, or null at the end. Its memory is reused for
  /// later ones.
  ///
  /// @throws dev.quiver.formats.ForeignDataException if the text is not as it should be
  @Nullable T next() throws IOException {
    Slot<T> last = current;
    current = null;
    if (last != null && last.reader.hasMore()) {
      submit(last);
      waiting.addFirst(last);
    } else if (last != null) {
      free.add(last);
    }
    while (!ended && hasRoom()) {
      Slot<T> slot = free.isEmpty() ? newSlot() : free.element();
      ended = !scanner.fill(slot.block);
      if (!ended) {
        free.remove();
        submit(slot);
        waiting.add(slot);
      }
    }
    current = waiting.poll();
    try {
      return current == null ? null : current.takeResult().await();
    } catch (JsonErrors.Fault e) {
      throw e.located(content);
    }
  }

  /// Reads fewer blocks at a time from now on.
  void limit(int blockCount) {
    slotCountMaximum = Math.min(slotCountMaximum, blockCount);
  }

  /// Returns whether another block may be read. One with a large record is read alone.
  private boolean hasRoom() {
    Slot<T> last = waiting.peekLast();
    boolean isAlone = last != null && last.block.isLarge();
    return !isAlone && waiting.size() < slotCountMaximum;
  }

  private Slot<T> newSlot() {
    Slot<T> slot = new Slot<>(readers.get());
    slots.add(slot);
    free.add(slot);
    return slot;
  }

  private void submit(Slot<T> slot) {
    slot.result = tasks.submit(() -> slot.reader.read(slot.block));
  }

  @Override
  public void close() throws IOException {
    try (scanner) {
      tasks.close();
    } finally {
      close(slots.iterator());
    }
  }

  /// Closes the reader of each slot, even if closing another one fails.
  private static <T> void close(Iterator<Slot<T>> rest) throws IOException {
    if (rest.hasNext()) {
      try {
        rest.next().reader.close();
      } finally {
        close(rest);
      }
    }
  }
}
