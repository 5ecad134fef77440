package dev.quiver.server.access;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

/// Responds to a request with insufficient credentials: 401 with challenges, whatever it asks for.
/// If the issuer of its token cannot be asked, a 503.
final class Challenge {

  private static final String HEADER = "WWW-Authenticate";
  private static final String BEARER = "Bearer realm=\"quiver\"";

  private static final String RETRY_AFTER_SECONDS = "5";

  private Challenge() {}

  /// Returns the response to a request without credentials that needs some.
  static Problem required() {
    return problem("none").withHeader(HEADER, BEARER);
  }

  private static Problem problem(String found) {
    return Problem.of(
        ProblemType.UNAUTHORIZED,
        "Expected the token of this service but found %s at header Authorization".formatted(found));
  }

  /// @param failure why the credentials of the request were rejected, or null if it has none
  static void send(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable AuthenticationException failure)
      throws IOException {
    if (failure instanceof AuthenticationServiceException) {
      Problem unavailable =
          Problem.of(
              ProblemType.ISSUER_UNAVAILABLE,
              "Expected a response from the issuer of tokens but found none");
      ProblemWriter.write(
          request, response, unavailable.withHeader("Retry-After", RETRY_AFTER_SECONDS));
      return;
    }
    boolean absent = request.getHeader("Authorization") == null;
    // Tools look for one scheme at the start of a line.
    response.addHeader(HEADER, BEARER + (absent ? "" : ", error=\"invalid_token\""));
    if (mayAskForAPassword(request)) {
      response.addHeader(HEADER, "Basic realm=\"quiver\", charset=\"UTF-8\"");
    }
    ProblemWriter.write(request, response, problem(absent ? "none" : "another"));
  }

  /// Returns whether a browser, if the client is one, would show its dialog for a page that it
  /// navigates to. Over a page that fetches data, the dialog would be out of place.
  private static boolean mayAskForAPassword(HttpServletRequest request) {
    List<String> modes = Collections.list(request.getHeaders("Sec-Fetch-Mode"));
    return modes.isEmpty() || modes.equals(List.of("navigate"));
  }
}
