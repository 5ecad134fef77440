package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/// The times that a store has refused the version after the latest one, without listing a later
/// one. It may list the version of another writer a moment later. Used by one thread.
final class Refusals {

  private static final int MAXIMUM = 20;
  private static final long FIRST_PAUSE_MILLISECONDS = 10;
  private static final int LONGEST_PAUSE = 6;

  private final boolean isRemote;
  private long refusedAfter = -1;
  private int count;

  Refusals(boolean isRemote) {
    this.isRemote = isRemote;
  }

  /// Notes that the store has refused the version after the latest one.
  void add(Catalog.@Nullable OpenManifest latest) {
    count = version(latest) == refusedAfter ? count + 1 : 1;
    refusedAfter = version(latest);
  }

  /// Waits if the latest version is one after which the store has refused another one.
  ///
  /// @throws StoreUnavailableException if it has done so too often
  void await(Catalog.@Nullable OpenManifest latest) throws IOException {
    if (version(latest) != refusedAfter) {
      return;
    }
    if (count == MAXIMUM) {
      throw new StoreUnavailableException(
          "Expected the store to keep the version after %d or to list another one but found neither"
              .formatted(refusedAfter));
    }
    try {
      Cancellation.current().throwIfRequested();
      // A local store lists what it has, unless it is shared by a network.
      int pause = isRemote ? Math.min(count, LONGEST_PAUSE) : count > 2 ? 1 : 0;
      Thread.sleep(pause == 0 ? 0 : FIRST_PAUSE_MILLISECONDS << pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /// Returns the number of a version, or 0 if absent.
  private static long version(Catalog.@Nullable OpenManifest manifest) {
    return manifest == null ? 0 : manifest.summary().version();
  }
}
