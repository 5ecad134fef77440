package dev.quiver.server.transfer;

import dev.quiver.arrow.memory.InFlightBytes;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.OverloadedException;
import dev.quiver.arrow.parallel.PermitQueue;
import dev.quiver.server.http.ResponseCoding;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Limits the memory and disk space that responses hold while their clients receive them.
///
/// | body | work before its length is known | held until it is sent |
/// | --- | --- | --- |
/// | stored | none; for a wanted digest, reading once, as many at a time as processors | nothing; with a content coding, a permit |
/// | generated while it is sent | none | a permit |
/// | text of rows, if a HEAD or a range needs its length | rendering once, under a permit | a permit |
/// | columns or rows | planning, once for equal requests, under a permit for that | a permit |
/// | file that is kept | writing it, once for equal requests, in a worker of its own | nothing |
/// | result of a statement | the statement, in a worker of its own, under a permit | a permit |
/// | the same as a Parquet file | the statement, then writing it, each in a worker of its own, under a permit | a permit and the file |
/// | verification | reading all of a version, as many at a time as processors, together with digests | nothing |
/// | document | rendering, as many at a time as the heap allows | its bytes, counted as in flight while they are rendered, unless few |
/// | statistics | the calculation, as many at a time as workers | as a document |
/// | list of datasets by name, sent while it is read | none | a permit; for each page read, another, as many as processors |
/// | list of jobs | reading a few jobs at a time, and rendering, under the same permit as a page | as a document |
/// | list of datasets in memory | reading and rendering, under the same permit as a page; with other datasets than those sent, as many at a time as the heap allows | as a document |
///
/// Large responses, small ones, those generated from a request's body, lists, and planning have
/// separate permits, each with an equally long queue. A request whose client leaves while it waits
/// for a permit does no work.
public final class ResponseAdmission {

  /// The heap per rendered document: a document with many columns takes a good part of it.
  private static final long DOCUMENT_HEAP_BYTES = 128 << 20;

  /// How long a list waits for its next page, behind others whose pages take milliseconds.
  private static final Duration NEXT_PAGE_PATIENCE = Duration.ofHours(1);

  private final Limit limit;
  private final Duration patience;
  private final InFlightBytes inFlight;
  private final PermitQueue large;

  /// For responses that do not wait behind large ones.
  private final PermitQueue small;

  /// For responses generated from a request's body, which may arrive slowly.
  private final PermitQueue received;

  /// For finding the positions of a selection's bytes. Selections of very many batches come one at
  /// a time, so that these wait for one another.
  private final PermitQueue layouts;

  /// For requests that learn the length of a text, most of which wait for the rendering of another.
  private final Semaphore measuring;

  private final PermitQueue rendering;

  /// For digests of stored bytes, each of which occupies a processor.
  private final PermitQueue digests;

  /// For lists that are sent while they are read.
  private final PermitQueue listStreams;

  /// For reading and rendering a page of a list, which occupies a processor and never waits for a
  /// client.
  private final PermitQueue listPages;

  /// For scans, which hold datasets while they wait for one another to read their pages.
  private final PermitQueue scans;

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
    int responses = Math.toIntExact(limit.maximum());
    this.large = new PermitQueue(responses);
    this.small = new PermitQueue(responses);
    this.received = new PermitQueue(responses);
    this.layouts = new PermitQueue(responses);
    this.measuring = new Semaphore(responses);
    this.listStreams = new PermitQueue(responses);
    int processors = Runtime.getRuntime().availableProcessors();
    this.digests = new PermitQueue(processors);
    this.listPages = new PermitQueue(Math.max(2, processors));
    long documents = Runtime.getRuntime().maxMemory() / DOCUMENT_HEAP_BYTES;
    this.rendering = new PermitQueue(Math.clamp(documents, 2, Integer.MAX_VALUE));
    this.scans = new PermitQueue(Math.clamp(documents, 2, Integer.MAX_VALUE));
  }

  /// Returns the number of generated responses that are sent.
  public int generatedCount() {
    int responses = Math.toIntExact(limit.maximum());
    return generated().mapToInt(permits -> responses - permits.available()).sum();
  }

  /// Returns the number of generated responses that wait for others.
  public int waitingCount() {
    return generated().mapToInt(PermitQueue::waitingCount).sum();
  }

  private Stream<PermitQueue> generated() {
    return Stream.of(large, small, received);
  }

  /// Waits until a response may be sent in a coding, and opens its body.
  ///
  /// @param hasClient returns whether the client still waits
  /// @throws OverloadedException if other responses hold too much for too long, or if the client
  ///   went away meanwhile
  AdmittedBody open(BodySource source, ResponseCoding coding, BooleanSupplier hasClient)
      throws IOException {
    return switch (source) {
      case BodySource.Ready(FixedLengthBody stored) when coding == ResponseCoding.IDENTITY ->
          new AdmittedBody(stored, Permit.UNLIMITED);
      case BodySource.Ready(Body body) -> admit(body, hasClient);
      case BodySource.Static content -> new AdmittedBody(content.in(coding), Permit.UNLIMITED);
      case BodySource.Selected selected -> admit(layOut(selected, hasClient), hasClient);
      case BodySource.Kept kept -> new AdmittedBody(kept.open(), Permit.UNLIMITED);
      case BodySource.Text(MeasurableText text) -> {
        FixedLengthBody known = coding == ResponseCoding.IDENTITY ? text.known() : null;
        yield admit(known == null ? text : known, hasClient);
      }
      case BodySource.Document(BodySource.Rendering document) -> {
        try (Permit _ = acquire(rendering, hasClient)) {
          yield render(document);
        }
      }
      case BodySource.Computed computed -> {
        Permit permit = acquire(large, hasClient);
        try {
          yield new AdmittedBody(computed.open(), permit);
        } catch (IOException | RuntimeException | Error e) {
          permit.close();
          throw e;
        }
      }
      case BodySource.AdmittedDocument(BodySource.Rendering document) -> render(document);
      case BodySource.ListStream(StreamingBody list) ->
          new AdmittedBody(list, acquire(listStreams, hasClient));
    };
  }

  /// Computes the positions of a selection's bytes, which never waits for a client.
  ///
  /// @param hasClient returns whether the client still waits
  /// @throws OverloadedException if other responses hold too much for too long, or if the client
  ///   went away meanwhile
  FixedLengthBody layOut(BodySource.Selected selected, BooleanSupplier hasClient)
      throws IOException {
    try (Permit _ = acquire(layouts, hasClient)) {
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
      // Other requests may need the length as well, whether or not this one does.
      return text.measure(() -> acquire(text.isSmall() ? small : large, () -> true), hasClient);
    } catch (IOException e) {
      throw StorageFullException.recognized(e);
    } finally {
      measuring.release();
    }
  }

  /// Waits until one more digest of stored bytes may be computed, or a version verified.
  ///
  /// @param hasClient returns whether the client still waits
  /// @throws OverloadedException if that takes too long, or if the client went away meanwhile
  public Permit acquireForDigest(BooleanSupplier hasClient) throws InterruptedIOException {
    return acquire(digests, hasClient);
  }

  /// Waits until one more response may be generated from a request's body.
  ///
  /// @throws OverloadedException if that takes too long
  public Permit acquireForBody() throws InterruptedIOException {
    // If the client leaves, the body ends.
    return acquire(received, () -> true);
  }

  /// Waits until one more page of a list may be read or rendered.
  ///
  /// @param hasClient returns whether the client still waits
  /// @throws OverloadedException if that takes too long, or if the client went away meanwhile
  public Permit acquireForListPage(BooleanSupplier hasClient) throws InterruptedIOException {
    return acquire(listPages, hasClient);
  }

  /// Waits until one more page may be read by a list that holds another permit, and thus waits with
  /// few others.
  ///
  /// @param wanted returns whether any client still waits
  /// @throws OverloadedException if no client waits anymore
  public Permit acquireForNextListPage(BooleanSupplier wanted) throws InterruptedIOException {
    return acquire(listPages, Long.MAX_VALUE, NEXT_PAGE_PATIENCE, wanted);
  }

  /// Waits until one more list may hold datasets while it reads others.
  ///
  /// @param wanted returns whether any client still waits
  /// @throws OverloadedException if that takes too long, or if no client waits anymore
  public Permit acquireForScan(BooleanSupplier wanted) throws InterruptedIOException {
    return acquire(scans, wanted);
  }

  /// Waits until a generated body may be sent.
  ///
  /// @param hasClient returns whether the client still waits
  /// @throws OverloadedException if other responses hold too much for too long, or if the client
  ///   went away meanwhile
  AdmittedBody admit(Body body, BooleanSupplier hasClient) throws InterruptedIOException {
    return new AdmittedBody(body, acquire(body.isSmall() ? small : large, hasClient));
  }

  private Permit acquire(PermitQueue permits, BooleanSupplier wanted)
      throws InterruptedIOException {
    return acquire(permits, limit.maximum(), patience, wanted);
  }

  /// A waiting request holds a thread and a connection, even if its client has gone.
  private Permit acquire(
      PermitQueue permits, long lengthMaximum, Duration time, BooleanSupplier wanted)
      throws InterruptedIOException {
    try {
      if (!permits.acquire(lengthMaximum, time, wanted)) {
        throw overloaded();
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    return permits::release;
  }

  private AdmittedBody render(BodySource.Rendering rendering) throws IOException {
    DocumentBuffer buffer = new DocumentBuffer(inFlight.openResponse());
    try {
      rendering.writeTo(buffer);
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

  /// Returns the exception of a request that does not wait any longer.
  public OverloadedException overloaded() {
    return new OverloadedException(limit, "responses generated at once");
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException();
  }
}
