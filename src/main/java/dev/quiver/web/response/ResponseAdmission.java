package dev.quiver.web.response;

import dev.quiver.input.Limit;
import dev.quiver.input.OverloadedException;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.storage.StorageFullException;
import dev.quiver.web.http.ResponseCoding;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Limits the memory and disk space that responses hold while their clients receive them.
///
/// | body | work before its length is known | held until it is sent |
/// | --- | --- | --- |
/// | stored | none | nothing; with a content coding, a permit |
/// | generated while it is sent | none | a permit |
/// | columns or rows | planning, under a permit for small responses | a permit |
/// | document | rendering, as many at a time as the heap allows | its bytes, counted as in flight unless few |
///
/// Large responses, small ones, and those generated from a request's body have separate permits,
/// each with an equally long queue.
public final class ResponseAdmission {

  /// The heap per rendered document: a document with many columns takes a good part of it.
  private static final long DOCUMENT_HEAP_BYTES = 128 << 20;

  private final Limit limit;
  private final Duration patience;
  private final InFlightBytes inFlight;
  private final Semaphore large;

  /// For responses that do not wait behind large ones.
  private final Semaphore small;

  /// For responses generated from a request's body, which may arrive slowly.
  private final Semaphore received;

  /// For finding the positions of a selection's bytes. Those of very many batches are found one at
  /// a time, so that these wait for one another.
  private final Semaphore layouts;

  private final Semaphore rendering;

  /// Permission for one response, until it is closed.
  public interface Permit extends AutoCloseable {

    /// The permission of a response that holds nothing.
    Permit UNLIMITED = () -> {};

    @Override
    void close();
  }

  /// A body that may be sent.
  record AdmittedBody(Body body, Permit permit) implements AutoCloseable {

    @Override
    public void close() {
      permit.close();
    }
  }

  /// @param limit the limit on the number of responses that are generated at once
  /// @param patience how long a request waits for a permit
  /// @param inFlight the account of the bytes of documents
  /// @throws IllegalArgumentException if the limit allows no response
  public ResponseAdmission(Limit limit, Duration patience, InFlightBytes inFlight) {
    if (limit.maximum() < 1) {
      throw new IllegalArgumentException(
          "Expected at least 1 but found " + limit.maximum() + " at " + limit.name());
    }
    this.limit = limit;
    this.patience = patience;
    this.inFlight = inFlight;

    this.large = new Semaphore(Math.toIntExact(limit.maximum()), /* fair= */ true);
    this.small = new Semaphore(large.availablePermits(), /* fair= */ true);
    this.received = new Semaphore(large.availablePermits(), /* fair= */ true);
    this.layouts = new Semaphore(large.availablePermits(), /* fair= */ true);
    long documents = Runtime.getRuntime().maxMemory() / DOCUMENT_HEAP_BYTES;
    this.rendering = new Semaphore(Math.clamp(documents, 2, Integer.MAX_VALUE), /* fair= */ true);
  }

  /// Waits until a response may be sent in a coding, and opens its body.
  ///
  /// @throws OverloadedException if other responses hold too much for too long
  AdmittedBody open(BodySource source, ResponseCoding coding) throws IOException {
    return switch (source) {
      case BodySource.Ready(FixedLengthBody stored) when coding == ResponseCoding.IDENTITY ->
          new AdmittedBody(stored, Permit.UNLIMITED);
      case BodySource.Ready(Body body) -> admit(body);
      case BodySource.Selected selected -> admit(layOut(selected));
      case BodySource.Document document -> charge(render(document));
    };
  }

  /// Computes the positions of a selection's bytes, which never waits for a client.
  ///
  /// @throws OverloadedException if other responses hold too much for too long
  FixedLengthBody layOut(BodySource.Selected selected) throws IOException {
    try (Permit _ = acquire(layouts)) {
      return selected.open();
    } catch (IOException e) {
      // Large working memory is a file.
      throw StorageFullException.recognized(e);
    }
  }

  /// Waits until one more response may be generated from a request's body.
  ///
  /// @throws OverloadedException if that takes too long
  public Permit acquireForBody() throws InterruptedIOException {
    return acquire(received);
  }

  private AdmittedBody admit(Body body) throws InterruptedIOException {
    return new AdmittedBody(body, acquire(body.isSmall() ? small : large));
  }

  private Permit acquire(Semaphore permits) throws InterruptedIOException {
    try {
      // A waiting request holds a thread and a connection, even if its client has gone.
      // Unlike tryAcquire(), this does not pass those who wait.
      if (!permits.tryAcquire(0, TimeUnit.NANOSECONDS)
          && (permits.getQueueLength() >= limit.maximum()
              || !permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS))) {
        throw new OverloadedException(limit, "responses generated at once");
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    return permits::release;
  }

  private FixedLengthBody render(BodySource.Document document) throws IOException {
    try (Permit _ = acquire(rendering)) {
      return document.open();
    } catch (IOException e) {
      throw StorageFullException.recognized(e);
    }
  }

  private AdmittedBody charge(FixedLengthBody document) throws InterruptedIOException {
    if (document.isSmall()) {
      return new AdmittedBody(document, Permit.UNLIMITED);
    }
    InFlightBytes.ResponseCharge charge = inFlight.openResponse();
    charge.take(document.byteSize());
    return new AdmittedBody(document, charge::close);
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException();
  }
}
