package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/// Writes the problems that controllers, filters and Tomcat report.
public final class ProblemWriter {

  /// Headers of a representation, which a problem replaces.
  private static final List<String> REPRESENTATION_HEADERS =
      List.of(
          "Accept-Ranges",
          "Arrow-Batch-Count",
          "Arrow-Row-Count",
          "Content-Disposition",
          "Content-Encoding",
          "Content-Location",
          "Content-Range",
          "Content-Security-Policy",
          "ETag",
          "Last-Modified",
          "Quiver-Versions",
          "Link",
          "Location",
          "Repr-Digest");

  private ProblemWriter() {}

  /// Responds to `request` with `problem`: as a page to a browser that opens one, and as a document
  /// to all others, whatever they accept.
  ///
  /// @throws IllegalStateException if the response is committed
  public static void write(
      HttpServletRequest request, HttpServletResponse response, Problem problem)
      throws IOException {
    response.resetBuffer();
    REPRESENTATION_HEADERS.forEach(name -> response.setHeader(name, null));
    String id = RequestId.of(request);
    ProblemPages pages = ProblemPages.find(request);
    byte[] body;
    if (pages == null) {
      body = Json.render(problem.with("requestId", id).document());
      response.setContentType("application/problem+json");
    } else {
      ProblemPages.Page page = PublicPath.again(request, () -> pages.render(problem, id));
      body = page.content();
      page.headers().forEach(response::setHeader);
      response.setContentType(ProblemPages.MEDIA_TYPE);
    }
    VaryHeader.add(response, "Accept");
    response.setStatus(problem.status());
    response.setContentLengthLong(body.length);
    response.setHeader("Cache-Control", "no-store");
    // Tomcat resets the response after an exception.
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader(RequestId.HEADER, id);
    problem.headers().forEach(response::setHeader);
    RequestDrain.closeAfterResponse(request, response);
    response.getOutputStream().write(body);
    // Sent immediately, so that the client receives it before the connection closes on its upload.
    response.flushBuffer();
  }
}
