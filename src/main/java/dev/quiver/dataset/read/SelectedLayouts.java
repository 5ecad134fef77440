package dev.quiver.dataset.read;

import dev.quiver.input.OverloadedException;
import dev.quiver.memory.LruCache;
import dev.quiver.parallel.SharedTasks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/// The layouts of selections by their ids, bounded by bytes. Requests that need an unknown one at
/// the same time share its computation, which ends early if all their clients leave. Shared by
/// threads.
public final class SelectedLayouts {

  private final LruCache<String, SelectedFileLayout> known;
  private final SharedTasks<String, SelectedFileLayout> tasks = new SharedTasks<>();

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
                  known.get(
                      id,
                      large,
                      () -> computation.run(progress::isWanted),
                      layout -> layout.memoryByteSize() + id.length()));
      if (shared == null) {
        throw unwanted();
      }
      return shared;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /// Returns the approximate number of bytes that all layouts take.
  long byteSize() {
    return known.weight();
  }

  /// Requires the client of a response to be there before its next batch is decoded.
  ///
  /// A client that has only ended its sending looks as if it had left. It still gets what takes two
  /// batches at most, such as any window of consecutive rows whose dictionaries are whole.
  ///
  /// @param decoded the number of batches before
  /// @param wanted returns whether the client still waits
  /// @throws OverloadedException if it has left
  static void requireWanted(long decoded, BooleanSupplier wanted) {
    if (decoded >= 2 && !wanted.getAsBoolean()) {
      throw unwanted();
    }
  }

  private static OverloadedException unwanted() {
    return new OverloadedException("Expected a client that waits for a selection but found none");
  }
}
