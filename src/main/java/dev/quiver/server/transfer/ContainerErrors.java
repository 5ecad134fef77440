package dev.quiver.server.transfer;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;

/// Problems for requests that Tomcat rejects, as far as Tomcat reveals the cause.
public final class ContainerErrors {

  /// The maximum number of parameters of a request, which Tomcat is configured with.
  public static final int PARAMETERS_MAXIMUM = 1_000;

  /// The maximum number of characters quoted from a request.
  private static final int QUOTED_LENGTH_MAXIMUM = 100;

  private static final String ENCODING_HINT =
      "Percent-encode the query, as curl -G --data-urlencode 'where=a > b' URL does.";

  private ContainerErrors() {}

  /// Returns the problem of a query with a parameter that cannot be decoded, or null if all can.
  public static @Nullable Problem ofQuery(HttpServletRequest request) {
    try {
      request.getParameterNames();
      return null;
    } catch (InvalidParameterException e) {
      return query(request);
    }
  }

  /// Returns the problem of a query with a parameter that cannot be decoded.
  static Problem query(HttpServletRequest request) {
    String query = request.getQueryString();
    long count = query.chars().filter(character -> character == '&').count();
    boolean isTooMany = count > PARAMETERS_MAXIMUM - 1;
    Problem problem =
        badRequest(
            isTooMany
                ? "Expected at most %d parameters but found more at the query"
                    .formatted(PARAMETERS_MAXIMUM)
                : "Expected percent-encoded UTF-8 but found \"%s\" at the query"
                    .formatted(Excerpt.of(query, QUOTED_LENGTH_MAXIMUM)));
    return isTooMany ? problem : problem.withHint(ENCODING_HINT);
  }

  /// Returns the problem for a status that Tomcat sets itself, or null for any other status.
  static @Nullable Problem of(int status, HttpServletRequest request) {
    return switch (status) {
      case 400 -> badRequest(sentence(request)).withHint(hint(request));
      case 417 ->
          Problem.of(
                  ProblemType.EXPECTATION_FAILED,
                  "Expected 100-continue but found \"%s\" at header Expect"
                      .formatted(request.getHeader("Expect")))
              .withHint("Leave out Expect.");
      case 501 ->
          Problem.of(
                  ProblemType.NOT_IMPLEMENTED,
                  "Expected chunked but found \"%s\" at header Transfer-Encoding"
                      .formatted(request.getHeader("Transfer-Encoding")))
              .withHint("Send Transfer-Encoding: chunked, or Content-Length.");
      case 505 ->
          Problem.of(
                  ProblemType.HTTP_VERSION,
                  "Expected HTTP/1.1 but found %s at the request line"
                      .formatted(request.getProtocol()))
              .withHint("Send the request by HTTP/1.1, with each space of the URL as %20.");
      default -> null;
    };
  }

  /// Returns what helps, by the cause that Tomcat reveals, or null if unknown.
  private static @Nullable String hint(HttpServletRequest request) {
    String cause =
        request.getAttribute(RequestDispatcher.ERROR_EXCEPTION)
                instanceof IllegalArgumentException unparsable
            ? String.valueOf(unparsable.getMessage())
            : "";
    if (cause.contains("header is too large")) {
      // No path of the service, since Tomcat has not read the one below which the client sees it.
      return "Send a long statement as the body of a POST rather than in the URL, and fewer or"
          + " shorter headers.";
    }
    return cause.contains("request target") || cause.contains("HTTP protocol")
        ? ENCODING_HINT
        : null;
  }

  private static String sentence(HttpServletRequest request) {
    if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION)
        instanceof IllegalArgumentException unparsable) {
      return malformed(": " + unparsable.getMessage());
    }
    List<String> lines = Collections.list(request.getHeaders("Content-Length"));
    String lengths = String.join(", ", lines);
    if (!lines.isEmpty() && !isLength(lengths)) {
      return "Expected one number of bytes but found \"%s\" at header Content-Length"
          .formatted(Excerpt.of(lengths, QUOTED_LENGTH_MAXIMUM));
    }
    List<String> hosts = Collections.list(request.getHeaders("Host"));
    return hosts.size() == 1
        ? malformed("")
        : "Expected one host but found %s at header Host"
            .formatted(hosts.isEmpty() ? "none" : hosts.size());
  }

  private static boolean isLength(String text) {
    try {
      return text.chars().allMatch(character -> character >= '0' && character <= '9')
          && Long.parseLong(text) >= 0;
    } catch (NumberFormatException tooLarge) {
      return false;
    }
  }

  private static String malformed(String finding) {
    return "Expected an HTTP/1.1 request (RFC 9112) but found a malformed one at the request line"
        + " or a header"
        + finding;
  }

  private static Problem badRequest(String detail) {
    return Problem.of(ProblemType.BAD_REQUEST, detail);
  }
}
