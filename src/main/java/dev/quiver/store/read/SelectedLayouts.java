package dev.quiver.store.read;

import dev.quiver.arrow.memory.LruCache;
import dev.quiver.arrow.memory.OverloadedException;
import dev.quiver.arrow.parallel.PermitQueue;
import dev.quiver.arrow.parallel.SharedTasks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/// The layouts of selections by their ids, bounded by bytes. Requests that need an unknown one at
/// the same time share its computation, which ends early if all their clients leave. Shared by
/// threads.
public final class SelectedLayouts {

  private final LruCache<String, SelectedFileLayout> known;
  private final SharedTasks<String, SelectedFileLayout> tasks = new SharedTasks<>();
  private final PermitQueue largeTurns = new PermitQueue(1);

  /// The computation of a layout.
  interface Computation {

    /// @param wanted returns whether any request still wants the layout
    /// @throws OverloadedException if none does
    SelectedFileLayout run(BooleanSupplier wanted) throws IOException;
  }

  /// Returns an empty cache.
  public SelectedLayouts(long byteSizeMaximum) {
    this.known = new LruCache<>(byteSizeMaximum);
  }

  /// Returns the layout of a selection.
  ///
  /// @param id the id of the version and the selection
  /// @param large true to compute one such layout at a time
  /// @param wanted returns whether this request still wants it
  /// @throws OverloadedException if it does not
  SelectedFileLayout get(String id, boolean large, BooleanSupplier wanted, Computation computation)
      throws IOException {
    SelectedFileLayout present = known.get(id);
    if (present != null) {
      return present;
    }
    try {
      SelectedFileLayout shared =
          tasks.get(
              id,
              wanted,
              progress ->
                  large
                      ? computeInTurn(id, progress::isWanted, computation)
                      : compute(id, progress::isWanted, computation));
      if (shared == null) {
        throw WantedWork.unwanted();
      }
      return shared;
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private SelectedFileLayout computeInTurn(
      String id, BooleanSupplier wanted, Computation computation) throws IOException {
    try {
      if (!largeTurns.acquire(wanted)) {
        throw WantedWork.unwanted();
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    try {
      return compute(id, wanted, computation);
    } finally {
      largeTurns.release();
    }
  }

  private SelectedFileLayout compute(String id, BooleanSupplier wanted, Computation computation)
      throws IOException {
    return known.get(
        id,
        /* heavy= */ false,
        () -> computation.run(wanted),
        layout -> layout.memoryByteSize() + id.length());
  }

  /// Returns the approximate number of bytes that all layouts take.
  long byteSize() {
    return known.weight();
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException();
  }
}
