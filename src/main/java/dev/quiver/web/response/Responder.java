package dev.quiver.web.response;

import dev.quiver.config.QuiverProperties;
import dev.quiver.web.connector.TransferRateGuard;
import dev.quiver.web.http.AcceptEncoding;
import dev.quiver.web.http.CodingPolicy;
import dev.quiver.web.http.EntityTag;
import dev.quiver.web.http.HttpDate;
import dev.quiver.web.http.HttpRange;
import dev.quiver.web.http.Preconditions;
import dev.quiver.web.http.RangeHeader;
import dev.quiver.web.http.ResponseCoding;
import dev.quiver.web.http.VaryHeader;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.springframework.stereotype.Component;

/// Answers a GET or HEAD with a representation: content coding, conditions, ranges, then bytes.
@Component
public final class Responder {

  private static final String REVALIDATE = "no-cache";

  private final QuiverProperties.RequestLimits limits;
  private final BodyMetrics metrics;
  private final ResponseAdmission made;
  private final String forEver;

  Responder(QuiverProperties properties, BodyMetrics metrics, ResponseAdmission made) {
    this.metrics = metrics;
    this.made = made;
    this.limits = properties.limits();
    // What needs a token is nothing for a cache that others use.
    String who =
        properties.tokenRequiredFor() == QuiverProperties.TokenRequiredFor.ALL
            ? "private"
            : "public";
    this.forEver = who + ", max-age=31536000, immutable";
  }

  public void send(
      HttpServletRequest request, HttpServletResponse response, Representation representation)
      throws IOException {
    // Header phase
    ResponseCoding coding = coding(request, response, representation.codings());
    EntityTag etag = coding.tagged(representation.etag());
    Preconditions preconditions = Preconditions.of(request);
    response.setHeader("ETag", etag.toString());
    response.setHeader("Last-Modified", HttpDate.format(representation.lastModified()));
    response.setHeader("Cache-Control", representation.immutable() ? forEver : REVALIDATE);
    switch (preconditions.evaluate(etag, representation.lastModified())) {
      case PROCEED -> {
        response.setContentType(representation.contentType());
        representation.headers().forEach(response::setHeader);
        try (var _ = isHead(request) ? null : made.take(representation.body(), coding)) {
          if (coding == ResponseCoding.IDENTITY) {
            sendBody(request, response, representation, preconditions);
          } else {
            response.setHeader("Accept-Ranges", "none");
            sendCoded(request, response, representation.body(), coding);
          }
        }
      }
      case NOT_MODIFIED -> response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      case FAILED -> throw preconditionFailed(etag, representation);
    }
  }

  /// Answers a GET or HEAD with a text that is made for this request, when it is not a HEAD; no
  /// cache may take it for the present without asking.
  public void sendText(
      HttpServletRequest request,
      HttpServletResponse response,
      String contentType,
      RenderedPart.Rendering rendering)
      throws IOException {
    ResponseCoding coding = coding(request, response, CodingPolicy.TEXT);
    response.setContentType(contentType);
    response.setHeader("Cache-Control", REVALIDATE);
    FixedLengthBody content = FixedLengthBody.of(new RenderedPart(rendering));
    try (var _ = isHead(request) ? null : made.take(content, coding)) {
      sendCoded(request, response, content, coding);
    }
  }

  /// Answers a POST with a representation of what it brought: whole, since there is nothing to come
  /// back to, and no cache may keep it. Who has read the body has a turn of [ResponseAdmission].
  public void sendOnce(
      HttpServletRequest request, HttpServletResponse response, Representation representation)
      throws IOException {
    representation.headers().forEach(response::setHeader);
    String contentType = representation.contentType();
    sendOnce(request, response, contentType, representation.codings(), representation.body());
  }

  /// Answers a POST with what is no representation of data, and no cache may keep.
  public void sendOnce(
      HttpServletRequest request,
      HttpServletResponse response,
      String contentType,
      CodingPolicy codings,
      Body body)
      throws IOException {
    ResponseCoding coding = coding(request, response, codings);
    response.setContentType(contentType);
    response.setHeader("Cache-Control", "no-store");
    sendCoded(request, response, body, coding);
  }

  /// Chooses a content coding. What is asked for by range is not coded.
  ///
  /// @throws ProblemException 406 when the client takes none that there is
  private static ResponseCoding coding(
      HttpServletRequest request, HttpServletResponse response, CodingPolicy policy) {
    if (policy == CodingPolicy.NEVER) {
      return ResponseCoding.IDENTITY;
    }
    VaryHeader.add(response, "Accept-Encoding");
    boolean ranged = request.getMethod().equals("GET") && request.getHeader("Range") != null;
    return AcceptEncoding.of(request).choose(policy, ranged);
  }

  private void sendCoded(
      HttpServletRequest request, HttpServletResponse response, Body body, ResponseCoding coding)
      throws IOException {
    if (coding != ResponseCoding.IDENTITY) {
      response.setHeader("Content-Encoding", coding.token());
    }
    if (!isHead(request)) {
      TransferRateGuard clock = TransferRateGuard.start(limits);
      BodyWriter.send(body, coding, request, response, clock, metrics);
    }
  }

  private void sendBody(
      HttpServletRequest request,
      HttpServletResponse response,
      Representation representation,
      Preconditions preconditions)
      throws IOException {
    boolean head = isHead(request);
    switch (representation.body()) {
      case FixedLengthBody content when head -> {
        response.setHeader("Accept-Ranges", "bytes");
        if (!content.isRendered()) {
          response.setContentLengthLong(content.byteSize());
        }
      }
      case FixedLengthBody content -> {
        response.setHeader("Accept-Ranges", "bytes");
        boolean ranged = preconditions.rangeApplies(representation.etag());
        RangeHeader ranges = ranged ? range(request) : RangeHeader.NONE;
        sendContent(request, response, representation, content, ranges);
      }
      case StreamingBody streamed -> {
        response.setHeader("Accept-Ranges", "none");
        sendCoded(request, response, streamed, ResponseCoding.IDENTITY);
      }
    }
  }

  private static boolean isHead(HttpServletRequest request) {
    return request.getMethod().equals("HEAD");
  }

  private void sendContent(
      HttpServletRequest request,
      HttpServletResponse response,
      Representation representation,
      FixedLengthBody content,
      RangeHeader ranges)
      throws IOException {
    switch (ranges.select(content.byteSize())) {
      case RangeHeader.Whole() -> write(request, response, content);
      case RangeHeader.Unsatisfiable() -> throw notSatisfiable(content.byteSize());
      case RangeHeader.Parts(List<HttpRange> parts) -> {
        response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
        write(request, response, partial(response, representation.contentType(), content, parts));
      }
    }
  }

  private static RangeHeader range(HttpServletRequest request) {
    List<String> lines = Collections.list(request.getHeaders("Range"));
    return lines.size() == 1 ? RangeHeader.parse(lines.getFirst()) : RangeHeader.NONE;
  }

  private static FixedLengthBody partial(
      HttpServletResponse response,
      String contentType,
      FixedLengthBody content,
      List<HttpRange> ranges) {
    if (ranges.size() > 1) {
      MultipartRanges parts = MultipartRanges.of(contentType);
      response.setContentType(parts.contentType());
      return parts.content(content, ranges);
    }
    HttpRange range = ranges.getFirst();
    response.setHeader("Content-Range", range.contentRange(content.byteSize()));
    return content.slice(range);
  }

  private void write(
      HttpServletRequest request, HttpServletResponse response, FixedLengthBody content)
      throws IOException {
    TransferRateGuard clock = TransferRateGuard.start(limits);
    BodyWriter.send(content, ResponseCoding.IDENTITY, request, response, clock, metrics);
  }

  private static ProblemException preconditionFailed(
      EntityTag etag, Representation representation) {
    return Problem.of(
            ProblemType.PRECONDITION_FAILED,
            "Expected what If-Match or If-Unmodified-Since asks for but found "
                + etag
                + " of "
                + HttpDate.format(representation.lastModified()))
        .asException();
  }

  private static ProblemException notSatisfiable(long size) {
    return Problem.of(
            ProblemType.RANGE_NOT_SATISFIABLE,
            "Expected a range that overlaps the representation but found one beyond its "
                + size
                + " bytes at header Range")
        .with("size", size)
        .withHeader("Content-Range", "bytes */" + size)
        .asException();
  }
}
