package dev.quiver.server.transfer;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.http.ResponseCoding;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// Limits the memory and disk space that responses hold while their clients receive them.
///
/// | body | work before its length is known | held until it is sent |
/// | --- | --- | --- |
/// | stored | none; for a wanted digest, reading once, as many at a time as processors | nothing; with a content coding, a permit |
/// | generated while it is sent | none | a permit |
/// | columns or rows | planning, once for equal requests, under a permit for that | a permit |
/// | workbook that is kept | writing it, once for equal requests, under a permit | nothing |
/// | Parquet file that is kept | writing it, once for equal requests, in a worker of its own | nothing |
/// | text of rows for a HEAD or a range | writing a file that is kept, once for equal requests, under a permit | nothing |
/// | result of a statement | the statement, in a worker of its own, under a permit | a permit |
/// | the same as a workbook | the statement, in a worker of its own, and writing it, under a permit | a permit and the file |
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

  private final InFlightBytes inFlight;
  private final Admission large;

  /// For responses that do not wait behind large ones.
  private final Admission small;

  /// For responses generated from a request's body, which may arrive slowly.
  private final Admission received;

  /// For finding the positions of a selection's bytes. Selections of very many batches come one at
  /// a time, so that these wait for one another.
  private final Admission layouts;

  private final Admission rendering;

  /// For digests of stored bytes, each of which occupies a processor.
  private final Admission digests;

  /// For lists that are sent while they are read.
  private final Admission listStreams;

  /// For reading and rendering a page of a list, which occupies a processor and never waits for a
  /// client.
  private final Admission listPages;

  /// For scans, which hold datasets while they wait for one another to read their pages.
  private final Admission scans;

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
    this.inFlight = inFlight;
    int responses = Math.toIntExact(limit.maximum());
    IntFunction<Admission> admission =
        permits ->
            new Admission(
                OverloadedException.sentence(limit, "responses generated at once"),
                permits,
                limit.maximum(),
                patience);
    this.large = admission.apply(responses);
    this.small = admission.apply(responses);
    this.received = admission.apply(responses);
    this.layouts = admission.apply(responses);
    this.listStreams = admission.apply(responses);
    int processors = Runtime.getRuntime().availableProcessors();
    this.digests = admission.apply(processors);
    this.listPages = admission.apply(Math.max(2, processors));
    int documents =
        Math.clamp(Runtime.getRuntime().maxMemory() / DOCUMENT_HEAP_BYTES, 2, Integer.MAX_VALUE);
    this.rendering = admission.apply(documents);
    this.scans = admission.apply(documents);
  }

  /// Returns the number of generated responses that are sent.
  public int generatedCount() {
    return generated().mapToInt(Admission::takenCount).sum();
  }

  /// Returns the number of generated responses that wait for others.
  public int waitingCount() {
    return generated().mapToInt(Admission::waitingCount).sum();
  }

  private Stream<Admission> generated() {
    return Stream.of(large, small, received);
  }

  /// Waits until a response may be sent in a coding, and opens its body.
  ///
  /// @throws OverloadedException if other responses hold too much for too long
  /// @throws CancelledException if the client goes away meanwhile
  AdmittedBody open(BodySource source, ResponseCoding coding) throws IOException {
    return switch (source) {
      case BodySource.Ready(FixedLengthBody stored) when coding == ResponseCoding.IDENTITY ->
          new AdmittedBody(stored, Permit.UNLIMITED);
      case BodySource.Ready(Body body) -> admit(body);
      case BodySource.Static content -> new AdmittedBody(content.in(coding), Permit.UNLIMITED);
      case BodySource.Selected selected -> admit(layOut(selected));
      case BodySource.Kept kept -> new AdmittedBody(kept.open(), Permit.UNLIMITED);
      case BodySource.Text text when coding == ResponseCoding.IDENTITY ->
          switch (text.open()) {
            case FixedLengthBody kept -> new AdmittedBody(kept, Permit.UNLIMITED);
            case StreamingBody streamed -> admit(streamed);
          };
      case BodySource.Text text -> admit(text.streamed());
      case BodySource.Document(BodySource.Rendering document) -> {
        try (Permit _ = rendering.enter()) {
          yield render(document);
        }
      }
      case BodySource.Computed computed -> {
        Permit permit = large.enter();
        try {
          yield new AdmittedBody(computed.open(), permit);
        } catch (IOException | RuntimeException | Error e) {
          permit.close();
          throw e;
        }
      }
      case BodySource.AdmittedDocument(BodySource.Rendering document) -> render(document);
      case BodySource.ListStream(StreamingBody list) -> new AdmittedBody(list, listStreams.enter());
    };
  }

  /// Computes the positions of a selection's bytes, which never waits for a client.
  ///
  /// @throws OverloadedException if other responses hold too much for too long
  /// @throws CancelledException if the client goes away meanwhile
  FixedLengthBody layOut(BodySource.Selected selected) throws IOException {
    try (Permit _ = layouts.enter()) {
      return selected.open();
    } catch (IOException e) {
      // Large working memory is a file.
      throw StorageFullException.recognized(e);
    }
  }

  /// Waits until the file of a text or a workbook may be written.
  ///
  /// @param isSmall whether the rows are few
  /// @throws OverloadedException if other responses hold too much for too long
  /// @throws CancelledException if all clients go away meanwhile
  public Permit acquireForFile(boolean isSmall) throws InterruptedIOException {
    return (isSmall ? small : large).enter();
  }

  /// Waits until one more digest of stored bytes may be computed, or a version verified.
  ///
  /// @throws OverloadedException if that takes too long
  /// @throws CancelledException if the client goes away meanwhile
  public Permit acquireForDigest() throws InterruptedIOException {
    return digests.enter();
  }

  /// Waits until one more response may be generated from a request's body.
  ///
  /// @throws OverloadedException if that takes too long
  public Permit acquireForBody() throws InterruptedIOException {
    // If the client leaves, the body ends.
    return Cancellation.NEVER.call(received::enter);
  }

  /// Waits until one more page of a list may be read or rendered.
  ///
  /// @throws OverloadedException if that takes too long
  /// @throws CancelledException if the client goes away meanwhile
  public Permit acquireForListPage() throws InterruptedIOException {
    return listPages.enter();
  }

  /// Waits until one more page may be read by a list that holds another permit, and thus waits with
  /// few others, whose pages take milliseconds.
  ///
  /// @throws CancelledException if all clients go away meanwhile
  public Permit acquireForNextListPage() throws InterruptedIOException {
    return listPages.enterPatiently();
  }

  /// Waits until one more list may hold datasets while it reads others.
  ///
  /// @throws OverloadedException if that takes too long
  /// @throws CancelledException if all clients go away meanwhile
  public Permit acquireForScan() throws InterruptedIOException {
    return scans.enter();
  }

  /// Waits until a generated body may be sent.
  ///
  /// @throws OverloadedException if other responses hold too much for too long
  /// @throws CancelledException if the client goes away meanwhile
  AdmittedBody admit(Body body) throws InterruptedIOException {
    return new AdmittedBody(body, (body.isSmall() ? small : large).enter());
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
}
