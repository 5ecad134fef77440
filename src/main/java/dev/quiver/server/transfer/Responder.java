package dev.quiver.server.transfer;

import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.AcceptEncoding;
import dev.quiver.server.http.CacheControl;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.HttpDate;
import dev.quiver.server.http.HttpRange;
import dev.quiver.server.http.Preconditions;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.RangeHeader;
import dev.quiver.server.http.ReprDigest;
import dev.quiver.server.http.ResponseCoding;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.store.blob.StorageFullException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Responds to a GET or HEAD with a representation: content coding, conditions, ranges, then bytes.
@Component
public final class Responder {

  private static final String CONDITION_HINT =
      "Ask for the current ETag by HEAD and send that as If-Match, or leave the condition out.";

  private final RequestLimits limits;
  private final BodyMetrics metrics;
  private final ResponseAdmission admission;
  private final StoredDigests digests;
  private final Duration nameAge;

  Responder(QuiverProperties properties, BodyMetrics metrics, ResponseAdmission admission) {
    this.metrics = metrics;
    this.admission = admission;
    this.limits = properties.limits();
    this.digests = new StoredDigests(limits.digest(), admission);
    this.nameAge = properties.http().nameMaxAge();
  }

  public void send(
      HttpServletRequest request, HttpServletResponse response, Representation representation)
      throws IOException {
    // Header phase: the body is not opened.
    ResponseCoding coding = coding(request, response, representation.codings());
    EntityTag etag = coding.tagged(representation.etag());
    Preconditions preconditions = Preconditions.of(request);
    response.setHeader("ETag", etag.toString());
    response.setHeader("Last-Modified", HttpDate.format(representation.lastModified()));
    CacheControl.set(
        response,
        CacheControl.ofVersion(
            representation.immutable(), nameAge, representation.expiresAt(), Instant.now()));
    switch (preconditions.evaluate(etag, representation.lastModified())) {
      case PROCEED -> {
        response.setContentType(representation.contentType());
        representation.headers().forEach(response::setHeader);
        setDigest(request, response, representation, coding);
        if (coding == ResponseCoding.IDENTITY && representation.body().hasRanges()) {
          response.setHeader("Accept-Ranges", "bytes");
          sendRanges(request, response, representation, preconditions);
        } else {
          response.setHeader("Accept-Ranges", "none");
          sendWhole(request, response, representation.body(), coding);
        }
      }
      case NOT_MODIFIED -> {
        setDigest(request, response, representation, coding);
        response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      }
      case FAILED -> throw preconditionFailed(etag, representation);
    }
  }

  /// Sets the digest of uncoded bytes; coded bytes have another digest.
  private void setDigest(
      HttpServletRequest request,
      HttpServletResponse response,
      Representation representation,
      ResponseCoding coding)
      throws IOException {
    String digest =
        coding == ResponseCoding.IDENTITY ? digests.header(request, representation) : null;
    if (digest != null) {
      response.setHeader(ReprDigest.NAME, digest);
    }
  }

  /// Responds to a GET or HEAD with a text about the current state, which caches must revalidate.
  public void sendText(
      HttpServletRequest request,
      HttpServletResponse response,
      String contentType,
      BodySource.IoSupplier<byte[]> rendering)
      throws IOException {
    BodySource document = new BodySource.Document(rendering);
    sendCurrent(request, response, contentType, CodingPolicy.TEXT, document);
  }

  /// Responds to a GET or HEAD with the current state, which caches must revalidate.
  public void sendCurrent(
      HttpServletRequest request,
      HttpServletResponse response,
      String contentType,
      CodingPolicy codings,
      BodySource body)
      throws IOException {
    ResponseCoding coding = coding(request, response, codings);
    response.setContentType(contentType);
    CacheControl.set(response, CacheControl.REVALIDATE);
    sendWhole(request, response, body, coding);
  }

  /// Responds to a GET or HEAD with the result of a computation, which is not computed for a client
  /// that has it.
  ///
  /// @param tag weak, since the bytes of equal results may differ; null if the next result may be
  ///   another one
  /// @param expiresAt when the first of the versions ends that the result depends on, or null
  public void sendComputed(
      HttpServletRequest request,
      HttpServletResponse response,
      String contentType,
      CodingPolicy codings,
      @Nullable EntityTag tag,
      @Nullable Instant expiresAt,
      BodySource.Computed body)
      throws IOException {
    ResponseCoding coding = coding(request, response, codings);
    CacheControl.set(
        response,
        tag == null
            ? CacheControl.NO_STORE
            : CacheControl.ofVersion(false, nameAge, expiresAt, Instant.now()));
    if (tag != null) {
      EntityTag etag = coding.tagged(tag);
      response.setHeader("ETag", etag.toString());
      switch (Preconditions.of(request).evaluate(etag)) {
        case PROCEED -> {}
        case NOT_MODIFIED -> {
          response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
          return;
        }
        case FAILED -> throw preconditionFailed(etag);
      }
    }
    response.setContentType(contentType);
    response.setHeader("Accept-Ranges", "none");
    if (isHead(request)) {
      setContentEncoding(response, coding);
      body.check();
    } else {
      sendWhole(request, response, body, coding);
    }
  }

  /// Responds to a POST with a representation of its body, which is sent whole and is not cached.
  /// The caller holds a permit of [ResponseAdmission#acquireForBody].
  public void sendOnce(
      HttpServletRequest request, HttpServletResponse response, Representation representation)
      throws IOException {
    representation.headers().forEach(response::setHeader);
    String contentType = representation.contentType();
    sendOnce(request, response, contentType, representation.codings(), representation.body());
  }

  /// Responds to a POST with a document, which is not cached. The caller holds a permit of
  /// [ResponseAdmission#acquireForBody].
  public void sendOnce(
      HttpServletRequest request,
      HttpServletResponse response,
      String contentType,
      CodingPolicy codings,
      BodySource body)
      throws IOException {
    ResponseCoding coding = coding(request, response, codings);
    response.setContentType(contentType);
    CacheControl.set(response, CacheControl.NO_STORE);
    setContentEncoding(response, coding);
    write(request, response, body.open(), coding);
  }

  /// Chooses a content coding. A range is not coded.
  ///
  /// @throws ProblemException 406 if the client accepts none of the possible codings
  private static ResponseCoding coding(
      HttpServletRequest request, HttpServletResponse response, CodingPolicy policy) {
    if (policy == CodingPolicy.NEVER) {
      return ResponseCoding.IDENTITY;
    }
    VaryHeader.add(response, "Accept-Encoding");
    boolean ranged = request.getMethod().equals("GET") && request.getHeader("Range") != null;
    return AcceptEncoding.of(request).choose(policy, ranged);
  }

  private static void setContentEncoding(HttpServletResponse response, ResponseCoding coding) {
    if (coding != ResponseCoding.IDENTITY) {
      response.setHeader("Content-Encoding", coding.token());
    }
  }

  private void sendWhole(
      HttpServletRequest request,
      HttpServletResponse response,
      BodySource source,
      ResponseCoding coding)
      throws IOException {
    setContentEncoding(response, coding);
    if (isHead(request)) {
      return;
    }
    boolean isCoded = source instanceof BodySource.Static;
    try (var admitted = admission.open(source, coding)) {
      write(request, response, admitted.body(), isCoded ? ResponseCoding.IDENTITY : coding);
    }
  }

  private void sendRanges(
      HttpServletRequest request,
      HttpServletResponse response,
      Representation representation,
      Preconditions preconditions)
      throws IOException {
    if (isHead(request)) {
      setContentLength(request, response, representation.body());
      return;
    }
    boolean ranged = preconditions.rangeApplies(representation.etag());
    RangeHeader ranges = ranged ? range(request) : RangeHeader.NONE;
    if (representation.body() instanceof BodySource.Text text && !ranges.equals(RangeHeader.NONE)) {
      FixedLengthBody file = file(text);
      if (file != null) {
        FixedLengthBody body = select(ranges, file, response, representation);
        write(request, response, body, ResponseCoding.IDENTITY);
        return;
      }
    }
    try (var admitted = admission.open(representation.body(), ResponseCoding.IDENTITY)) {
      Body body =
          switch (admitted.body()) {
            case FixedLengthBody whole -> select(ranges, whole, response, representation);
            case StreamingBody whole -> whole;
          };
      write(request, response, body, ResponseCoding.IDENTITY);
    }
  }

  /// Returns the file of a text, or null if the client seems to have gone away. It then gets a
  /// response that needs no length, in case that it is still there.
  private static @Nullable FixedLengthBody file(BodySource.Text text) throws IOException {
    try {
      return text.file().get();
    } catch (CancelledException e) {
      return null;
    } catch (IOException e) {
      throw StorageFullException.recognized(e);
    }
  }

  /// Returns the requested ranges of a body, and sets the status and the headers of a partial
  /// response.
  private static FixedLengthBody select(
      RangeHeader ranges,
      FixedLengthBody whole,
      HttpServletResponse response,
      Representation representation) {
    return switch (ranges.select(whole.byteSize())) {
      case RangeHeader.Whole() -> whole;
      case RangeHeader.Unsatisfiable() -> throw notSatisfiable(whole.byteSize());
      case RangeHeader.Parts(List<HttpRange> parts) -> {
        response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
        yield partial(response, representation.contentType(), whole, parts);
      }
    };
  }

  /// Sets the length of a GET, unless a document would have to be rendered for it.
  private void setContentLength(
      HttpServletRequest request, HttpServletResponse response, BodySource source)
      throws IOException {
    switch (source) {
      case BodySource.Ready(FixedLengthBody body) -> response.setContentLengthLong(body.byteSize());
      case BodySource.Static content -> response.setContentLengthLong(content.open().byteSize());
      case BodySource.Selected selected ->
          response.setContentLengthLong(admission.layOut(selected).byteSize());
      case BodySource.Kept kept -> response.setContentLengthLong(kept.open().byteSize());
      case BodySource.Text text -> {
        FixedLengthBody file = file(text);
        if (file != null) {
          response.setContentLengthLong(file.byteSize());
        }
      }
      case BodySource.Ready(StreamingBody _),
          BodySource.Document _,
          BodySource.Computed _,
          BodySource.ListStream _,
          BodySource.AdmittedDocument _ -> {}
    }
  }

  private static boolean isHead(HttpServletRequest request) {
    return request.getMethod().equals("HEAD");
  }

  private static RangeHeader range(HttpServletRequest request) {
    List<String> lines = Collections.list(request.getHeaders("Range"));
    return lines.size() == 1 ? RangeHeader.parse(lines.getFirst()) : RangeHeader.NONE;
  }

  private static FixedLengthBody partial(
      HttpServletResponse response,
      String contentType,
      FixedLengthBody whole,
      List<HttpRange> ranges) {
    if (ranges.size() > 1) {
      MultipartRanges parts = MultipartRanges.of(contentType);
      response.setContentType(parts.contentType());
      return parts.content(whole, ranges);
    }
    HttpRange range = ranges.getFirst();
    response.setHeader("Content-Range", range.contentRange(whole.byteSize()));
    return whole.slice(range);
  }

  private void write(
      HttpServletRequest request, HttpServletResponse response, Body body, ResponseCoding coding)
      throws IOException {
    TransferRateGuard guard = TransferRateGuard.ofDownload(limits, request);
    BodyWriter.send(body, coding, request, response, guard, metrics);
  }

  private static ProblemException preconditionFailed(
      EntityTag etag, Representation representation) {
    return Problem.of(
            ProblemType.PRECONDITION_FAILED,
            "Expected the version that If-Match or If-Unmodified-Since names but found "
                + etag
                + " of "
                + HttpDate.format(representation.lastModified()))
        .withHint(CONDITION_HINT)
        .asException();
  }

  private static ProblemException preconditionFailed(EntityTag etag) {
    return Problem.of(
            ProblemType.PRECONDITION_FAILED,
            "Expected the result that If-Match names but found " + etag)
        .withHint(CONDITION_HINT)
        .asException();
  }

  private static ProblemException notSatisfiable(long size) {
    return Problem.of(
            ProblemType.RANGE_NOT_SATISFIABLE,
            "Expected a range that overlaps the representation but found one beyond its "
                + size
                + " bytes at header Range")
        .withHint("Ask for bytes before %d, or for all of them without Range.".formatted(size))
        .with("size", size)
        .withHeader("Content-Range", "bytes */" + size)
        .asException();
  }
}
