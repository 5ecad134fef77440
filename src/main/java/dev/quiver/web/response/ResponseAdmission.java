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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Limits the memory and disk space that responses hold while their clients receive them.
///
/// | body | work before its length is known | held until it is sent |
/// | --- | --- | --- |
/// | stored | none; for a wanted digest, reading once, as many at a time as processors | nothing; with a content coding, a permit |
/// | generated while it is sent | none | a permit |
/// | text of rows, if a HEAD or a range needs its length | rendering once, under a permit | a permit |
/// | columns or rows | planning, under a permit for that | a permit |
/// | document | rendering, as many at a time as the heap allows | its bytes, counted as in flight while they are rendered, unless few |
///
/// Large responses, small ones, those generated from a request's body, and planning have separate
/// permits, each with an equally long queue.
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

  /// For requests that learn the length of a text, most of which wait for the rendering of another.
  private final Semaphore measuring;

  private final Semaphore rendering;

  /// For digests of stored bytes, each of which occupies a processor.
  private final Semaphore digests;

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
    this.measuring = new Semaphore(large.availablePermits());
    this.digests = new Semaphore(Runtime.getRuntime().availableProcessors(), /* fair= */ true);
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
      case BodySource.Text(MeasurableText text) -> {
        FixedLengthBody known = coding == ResponseCoding.IDENTITY ? text.known() : null;
        yield admit(known == null ? text : known);
      }
      case BodySource.Document document -> render(document);
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

  /// Learns the length of a text, which is rendered under a permit unless its length is known.
  ///
  /// @param hasClient returns whether the client still waits
  /// @return the text as a body of known length, or null if the client went away before
  /// @throws OverloadedException if other responses hold too much for too long
  @Nullable FixedLengthBody measure(MeasurableText text, BooleanSupplier hasClient)
      throws IOException {
    FixedLengthBody known = text.known();
    if (known != null) {
      return known;
    }
    if (!measuring.tryAcquire()) {
      throw overloaded();
    }
    try {
      return text.measure(() -> acquire(text.isSmall() ? small : large), hasClient);
    } catch (IOException e) {
      throw StorageFullException.recognized(e);
    } finally {
      measuring.release();
    }
  }

  /// Waits until one more digest of stored bytes may be computed.
  ///
  /// @throws OverloadedException if that takes too long
  Permit acquireForDigest() throws InterruptedIOException {
    return acquire(digests);
  }

  /// Waits until one more response may be generated from a request's body.
  ///
  /// @throws OverloadedException if that takes too long
  public Permit acquireForBody() throws InterruptedIOException {
    return acquire(received);
  }

  /// Waits until a generated body may be sent.
  ///
  /// @throws OverloadedException if other responses hold too much for too long
  AdmittedBody admit(Body body) throws InterruptedIOException {
    return new AdmittedBody(body, acquire(body.isSmall() ? small : large));
  }

  private Permit acquire(Semaphore permits) throws InterruptedIOException {
    try {
      // A waiting request holds a thread and a connection, even if its client has gone.
      // Unlike tryAcquire(), this does not pass those who wait.
      if (!permits.tryAcquire(0, TimeUnit.NANOSECONDS)
          && (permits.getQueueLength() >= limit.maximum()
              || !permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS))) {
        throw overloaded();
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    return permits::release;
  }

  private AdmittedBody render(BodySource.Document document) throws IOException {
    DocumentBuffer buffer = new DocumentBuffer(inFlight.openResponse());
    try (Permit _ = acquire(rendering)) {
      document.rendering().writeTo(buffer);
    } catch (IOException e) {
      buffer.release();
      throw StorageFullException.recognized(e);
    } catch (RuntimeException | Error e) {
      buffer.release();
      throw e;
    }
    FixedLengthBody body = buffer.body();
    return new AdmittedBody(body, body.isSmall() ? Permit.UNLIMITED : buffer::release);
  }

  private OverloadedException overloaded() {
    return new OverloadedException(limit, "responses generated at once");
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException();
  }
}
