package dev.quiver.store.read;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;

/// Work on a selection, which ends early if all clients that wait for it leave.
///
/// A client that has only ended its sending looks as if it had left. It still gets what takes about
/// as long as a million slots of a column, such as any short window of consecutive rows. Used by
/// one thread.
final class WantedWork {

  /// The work to decode a batch, apart from that for its slots.
  private static final long DECODED_BATCH_SLOTS = 1 << 18;

  /// The work to read the metadata of a batch.
  private static final long BATCH_SLOTS = 128;

  /// The work that is done even if no client seems to wait. A window of consecutive rows decodes
  /// two batches at most: for the values that it uses, and again.
  private static final long UNCONDITIONAL_SLOTS = 5 * DECODED_BATCH_SLOTS;

  /// The work between two looks for a client, each of which is a system call.
  private static final long LOOK_SLOTS = 1 << 16;

  private final Cancellation cancellation = Cancellation.current();
  private long slots;
  private long nextLook = UNCONDITIONAL_SLOTS;

  /// Begins with the layout of a batch.
  ///
  /// @param isDecoded whether it has other buffers than the stored ones
  /// @throws CancelledException if no client waits
  void beginBatch(boolean isDecoded) {
    begin(isDecoded ? DECODED_BATCH_SLOTS : BATCH_SLOTS);
  }

  /// Begins with further slots of a column.
  ///
  /// @throws CancelledException if no client waits
  void beginSlots(long count) {
    begin(count);
  }

  private void begin(long count) {
    slots += count;
    if (slots > nextLook) {
      nextLook = slots + LOOK_SLOTS;
      cancellation.throwIfRequested();
    }
  }
}
