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

  private static final String ABSENT_HINT =
      "Send a token as the header Authorization: Bearer TOKEN, or as the password of any user.";

  private Challenge() {}

  /// The hint about a link that does not permit a request, whether it was cut or has expired.
  static final String LINK_HINT =
      "The parameter link is incomplete, of another path, or has expired: ask whoever made the link for"
          + " a new one.";

  /// Returns the response to a request without credentials that needs some.
  static Problem required() {
    return problem("none").withHint(ABSENT_HINT).withHeader(HEADER, BEARER);
  }

  /// Returns the response to a request whose link has expired meanwhile.
  static Problem expired() {
    return problem("none").withHint(LINK_HINT).withHeader(HEADER, BEARER);
  }

  private static Problem problem(String found) {
    return Problem.of(
        ProblemType.UNAUTHORIZED,
        "Expected the token of this service but found %s at header Authorization".formatted(found));
  }

  /// Returns what helps, without a part of the credentials.
  private static String hint(HttpServletRequest request) {
    String credentials = request.getHeader("Authorization");
    if (Links.isIn(request)) {
      return LINK_HINT;
    }
    if (credentials == null) {
      return ABSENT_HINT;
    }
    return Credentials.token(request) == null
        ? "Write Bearer and a space before the token, as in Authorization: Bearer TOKEN, or send the"
            + " token as a password by curl -u user:TOKEN."
        : "The token is unknown or has expired: send one that quiver.auth.tokens or quiver.token"
            + " has, or a new one of the issuer.";
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
                  "Expected a response from the issuer of tokens but found none")
              .withHint(Problem.RETRY_HINT);
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
    ProblemWriter.write(
        request, response, problem(absent ? "none" : "another").withHint(hint(request)));
  }

  /// Returns whether a browser, if the client is one, would show its dialog for a page that it
  /// navigates to. Over a page that fetches data, the dialog would be out of place.
  private static boolean mayAskForAPassword(HttpServletRequest request) {
    List<String> modes = Collections.list(request.getHeaders("Sec-Fetch-Mode"));
    return modes.isEmpty() || modes.equals(List.of("navigate"));
  }
}
