package dev.quiver.store.write;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.store.version.DatasetName;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Turns to add columns to the datasets of a store, one at a time for each: a write rewrites all of
/// its dataset, and only one can be the next version. Shared by threads. Other processes with the
/// same store have turns of their own.
public final class RewriteTurns {

  private static final Limit LIMIT = new Limit("of one dataset", 1);

  /// The time that a write waits. A rewrite takes minutes if the dataset is large.
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Map<DatasetName, Turns> turns = new HashMap<>();

  /// The turns of one dataset.
  private static final class Turns {

    private final Admission admission =
        new Admission(
            OverloadedException.sentence(LIMIT, "rewrites at a time"),
            /* permits= */ 1,
            Long.MAX_VALUE,
            PATIENCE);

    /// The writes that have the turn or wait for it.
    private int userCount;
  }

  /// A turn.
  ///
  /// @param waited whether others had the turn first
  public record Turn(Permit permit, boolean waited) {}

  /// Waits until a write may rewrite a dataset. That goes on for a client that has left: it may
  /// have ended its sending alone, and what it sent is to be stored.
  ///
  /// @throws OverloadedException if others take more than ten minutes
  public Turn await(DatasetName name) throws InterruptedIOException {
    Turns ofDataset;
    boolean waits;
    synchronized (turns) {
      ofDataset = turns.computeIfAbsent(name, _ -> new Turns());
      waits = ofDataset.userCount++ > 0;
    }
    boolean entered = false;
    try {
      Permit permit = Cancellation.NEVER.call(ofDataset.admission::enter);
      entered = true;
      return new Turn(
          () -> {
            permit.close();
            leave(name, ofDataset);
          },
          waits);
    } finally {
      if (!entered) {
        leave(name, ofDataset);
      }
    }
  }

  /// Returns the number of writes that have the turn of a dataset or wait for it.
  public int userCount(DatasetName name) {
    synchronized (turns) {
      Turns ofDataset = turns.get(name);
      return ofDataset == null ? 0 : ofDataset.userCount;
    }
  }

  private void leave(DatasetName name, Turns ofDataset) {
    synchronized (turns) {
      ofDataset.userCount--;
      if (ofDataset.userCount == 0) {
        turns.remove(name);
      }
    }
  }
}
