package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Problems as pages for people, whom a document of JSON does not help.
///
/// A request carries them as an attribute, since they belong to a higher package.
@FunctionalInterface
public interface ProblemPages {

  String MEDIA_TYPE = "text/html;charset=UTF-8";

  /// A page.
  ///
  /// @param headers those that every page has
  record Page(byte[] content, Map<String, String> headers) {}

  /// Renders a problem.
  Page render(Problem problem, String requestId);

  /// Makes problems of a request pages, if it is one of a browser that opens a page.
  default void attachTo(HttpServletRequest request) {
    if (isOfBrowser(request)) {
      request.setAttribute(ProblemPages.class.getName(), this);
    }
  }

  /// Returns the pages of a request, or null if its problems are documents.
  static @Nullable ProblemPages find(HttpServletRequest request) {
    return (ProblemPages) request.getAttribute(ProblemPages.class.getName());
  }

  /// Returns whether a request prefers a page to a document. Scripts of pages send another mode:
  /// <https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header>. Without a mode, as below plain
  /// HTTP, browsers accept XHTML too, unlike programs in Java, which accept HTML unless told
  /// otherwise.
  private static boolean isOfBrowser(HttpServletRequest request) {
    String mode = request.getHeader("Sec-Fetch-Mode");
    if (mode == null ? !acceptsXhtml(request) : !mode.equals("navigate")) {
      return false;
    }
    MediaRanges ranges = MediaRanges.of(request);
    double page = ranges.quality("text/html");
    return List.of("application/json", "application/problem+json").stream()
        .allMatch(document -> ranges.quality(document) < page);
  }

  private static boolean acceptsXhtml(HttpServletRequest request) {
    return Collections.list(request.getHeaders("Accept")).stream()
        .anyMatch(ranges -> ranges.toLowerCase(Locale.ROOT).contains("application/xhtml+xml"));
  }
}
