package dev.quiver.server.write;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.TaskFailures;
import dev.quiver.server.http.ProblemException;
import dev.quiver.store.version.WriteResult;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The outcome of an upload whose client waits for a while. The thread of the job reports it, and
/// the thread of the request waits.
final class UploadOutcome {

  /// The time after which a waiting thread checks again whether its client has left.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /// A version that was stored.
  ///
  /// @param document the document that a synchronous response would have
  record Written(WriteResult result, Object document) {}

  /// Null if the job ended in another way.
  private final CompletableFuture<@Nullable Written> written = new CompletableFuture<>();

  /// Whether another attempt with the same data would have the same result.
  private volatile boolean isFinal;

  void store(Written version) {
    isFinal = true;
    written.complete(version);
  }

  /// @param failure the problem that the job has
  /// @param isFinal whether another attempt with the same data would fail as well
  void fail(ProblemException failure, boolean isFinal) {
    this.isFinal = isFinal;
    written.completeExceptionally(failure);
  }

  /// Ends the wait. Has no effect once the outcome is known.
  void end() {
    written.complete(null);
  }

  /// Returns whether the data is no longer needed: it is stored, or cannot be.
  boolean isFinal() {
    return isFinal;
  }

  /// Waits for the end of the upload.
  ///
  /// @return null if it has not ended in time or before [#end], or was cancelled or lost
  /// @throws CancelledException if the client has left; the job continues
  /// @throws ProblemException the problem of the upload
  @Nullable Written await(Duration patience) throws IOException {
    Cancellation cancellation = Cancellation.current();
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toNanos(); left > 0; left = end - System.nanoTime()) {
      try {
        return written.get(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        cancellation.throwIfRequested();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      } catch (ExecutionException e) {
        throw TaskFailures.rethrown(e);
      }
    }
    return null;
  }
}
