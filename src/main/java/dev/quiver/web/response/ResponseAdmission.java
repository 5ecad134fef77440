package dev.quiver.web.response;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.input.OverloadedException;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.http.ResponseCoding;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What responses hold for as long as their clients take, in memory or in its place on the disk;
/// one that is sent as it is stored holds nothing.
///
/// Of those that are made while they are sent there are so many at once, and as many small ones,
/// and as many that are made of what was sent along; and as many of each wait. Documents are made
/// before, and count as bytes in flight unless they are small.
public final class ResponseAdmission {

  /// Heap for each document that is being made: those of many columns take a good part of it.
  private static final long DOCUMENT_HEAP_BYTES = 128 << 20;

  private final Limit limit;
  private final Duration patience;
  private final InFlightBytes inFlight;
  private final Semaphore free;

  /// For small ones, which do not wait for those that are large.
  private final Semaphore freeForSmall;

  /// For those made of the body of a request, which may come slowly.
  private final Semaphore freeForReceived;

  private final Semaphore rendering;

  /// What a response holds, until it is closed.
  public interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /// @param limit on the number of responses that are made while they are sent
  /// @param patience how long one waits for its turn
  /// @param inFlight what documents count for
  /// @throws IllegalArgumentException when no response might ever be made
  public ResponseAdmission(Limit limit, Duration patience, InFlightBytes inFlight) {
    if (limit.maximum() < 1) {
      throw new IllegalArgumentException(
          "Expected at least 1 but found " + limit.maximum() + " at " + limit.key());
    }
    this.limit = limit;
    this.patience = patience;
    this.inFlight = inFlight;
    // Who came first is the first one to go on.
    this.free = new Semaphore(Math.toIntExact(limit.maximum()), /* fair= */ true);
    this.freeForSmall = new Semaphore(free.availablePermits(), /* fair= */ true);
    this.freeForReceived = new Semaphore(free.availablePermits(), /* fair= */ true);
    long documents = Runtime.getRuntime().maxMemory() / DOCUMENT_HEAP_BYTES;
    this.rendering = new Semaphore(Math.clamp(documents, 2, Integer.MAX_VALUE), /* fair= */ true);
  }

  /// Waits until `body` may be sent in a coding, and makes it if it is a document.
  ///
  /// @return null when it holds nothing
  /// @throws OverloadedException when others hold too much for too long
  @Nullable Permit take(Body body, ResponseCoding coding) throws InterruptedIOException {
    return switch (body) {
      case FixedLengthBody content when content.isRendered() -> make(content);
      case FixedLengthBody content
          when !content.isSelected() && coding == ResponseCoding.IDENTITY ->
          null;
      case FixedLengthBody _, StreamingBody _ -> take(body.isSmall() ? freeForSmall : free);
    };
  }

  /// Waits until one more response may be made of a body that is still to come.
  ///
  /// @throws OverloadedException when that takes too long
  public Permit takeForBody() throws InterruptedIOException {
    return take(freeForReceived);
  }

  private Permit take(Semaphore turns) throws InterruptedIOException {
    try {
      // Who waits has a thread and a connection, also when its client is gone.
      if (!turns.tryAcquire()
          && (turns.getQueueLength() >= limit.maximum()
              || !turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS))) {
        throw new OverloadedException(limit, "responses that are made at once");
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    return turns::release;
  }

  private @Nullable Permit make(FixedLengthBody document) throws InterruptedIOException {
    long byteSize = render(document);
    if (document.isSmall()) {
      return null;
    }
    InFlightBytes.Charge charge = inFlight.open();
    // One that is larger than all may have goes alone.
    charge.take(Math.min(byteSize, inFlight.maximum()), InputLocation.UNKNOWN);
    return charge::close;
  }

  private long render(FixedLengthBody document) throws InterruptedIOException {
    try {
      rendering.acquire();
    } catch (InterruptedException e) {
      throw interrupted();
    }
    try {
      return document.byteSize();
    } finally {
      rendering.release();
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException();
  }
}
