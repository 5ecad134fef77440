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
  private static final int BLOCK_COUNT_MAXIMUM = 5;

  private final JsonScanner scanner;
  private final TaskQueue tasks;
  private final List<Slot<T>> slots = new ArrayList<>();
  private final Deque<Slot<T>> free = new ArrayDeque<>();
  private final Deque<Slot<T>> waiting = new ArrayDeque<>();

  /// The block whose result was returned last.
  private @Nullable Slot<T> current;

  private boolean ended;

  /// A reader of one block at a time, whose memory is reused for later ones.
  interface BlockReader<T> {

    T read(JsonBlock block) throws IOException;

    default void close() throws IOException {}
  }

  private static final class Slot<T> {

    private final JsonBlock block = new JsonBlock();
    private final BlockReader<T> reader;
    private TaskQueue.@Nullable Result<T> result;

    Slot(BlockReader<T> reader) {
      this.reader = reader;
    }
  }

  /// @param scanner closed with this
  /// @param readers returns a reader for each block that is read at a time
  JsonBlocks(JsonScanner scanner, CpuPool pool, Supplier<BlockReader<T>> readers) {
    this.scanner = scanner;
    this.tasks = pool.queue();
    for (int i = 0; i <= Math.min(pool.count(), BLOCK_COUNT_MAXIMUM - 1); i++) {
      slots.add(new Slot<>(readers.get()));
    }
    free.addAll(slots);
  }

  /// Returns the result of the next block, or null at the end. Its memory is reused for later ones.
  @Nullable T next() throws IOException {
    if (current != null) {
      free.add(current);
      current = null;
    }
    while (!ended && !free.isEmpty()) {
      Slot<T> slot = free.element();
      ended = !scanner.fill(slot.block);
      if (!ended) {
        free.remove();
        slot.result = tasks.submit(() -> slot.reader.read(slot.block));
        waiting.add(slot);
      }
    }
    current = waiting.poll();
    return current == null ? null : Objects.requireNonNull(current.result).await();
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
