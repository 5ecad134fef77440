package dev.quiver.web;

import dev.quiver.memory.Limit;
import dev.quiver.memory.OverloadedException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// How many responses are made at once while they are sent. Each holds memory, or a part of the
/// disk in place of it, for as long as its client takes, which one that is sent as it is stored
/// does not.
final class MadeResponses {

  private final Limit limit;
  private final Duration patience;
  private final Semaphore free;

  /// @param limit on their number
  /// @param patience how long one waits for its turn
  MadeResponses(Limit limit, Duration patience) {
    this.limit = limit;
    this.patience = patience;
    // Who came first is the first one to go on.
    this.free = new Semaphore(Math.toIntExact(limit.maximum()), /* fair= */ true);
  }

  /// Waits until `body` may be sent in a coding.
  ///
  /// @return what ends the turn; null when it needs none
  /// @throws OverloadedException when there is none for too long
  @Nullable Turn take(Body body, ResponseCoding coding) throws InterruptedIOException {
    return needsTurn(body, coding) ? take() : null;
  }

  /// A document is small, also when it is coded.
  private static boolean needsTurn(Body body, ResponseCoding coding) {
    return switch (body) {
      case Content content ->
          content.isSelected() || coding != ResponseCoding.IDENTITY && !content.isRendered();
      case StreamedBody _ -> true;
    };
  }

  private Turn take() throws InterruptedIOException {
    try {
      if (!free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new OverloadedException(limit, "responses that are made at once");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    return new Turn();
  }

  /// The time in which one response is made.
  final class Turn implements AutoCloseable {

    @Override
    public void close() {
      free.release();
    }
  }
}
