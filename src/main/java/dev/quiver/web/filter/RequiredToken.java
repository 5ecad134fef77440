package dev.quiver.web.filter;

import dev.quiver.config.QuiverProperties;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The token that requests must carry in `Authorization`: as a bearer token (RFC 6750), or as the
/// password of any user (RFC 7617).
///
/// Tools send the password for URLs such as `http://user:token@host`, and have no other way to send
/// a token.
final class RequiredToken {

  /// The schemes are case-insensitive.
  private static final Pattern BEARER =
      Pattern.compile("(?i:Bearer) +(" + QuiverProperties.TOKEN + ") *");

  private static final Pattern BASIC = Pattern.compile("(?i:Basic) +([0-9A-Za-z+/]+={0,2}) *");

  private static final String CHALLENGE = "WWW-Authenticate";

  private final byte[] token;

  RequiredToken(String token) {
    this.token = token.getBytes(StandardCharsets.UTF_8);
  }

  /// Returns null if the request carries the token. Otherwise, adds the challenges to the response.
  @Nullable Problem problem(HttpServletRequest request, HttpServletResponse response) {
    String header = request.getHeader("Authorization");
    if (header != null && matches(header)) {
      return null;
    }
    // Tools look for one scheme at the start of a line.
    response.addHeader(
        CHALLENGE, "Bearer realm=\"quiver\"" + (header == null ? "" : ", error=\"invalid_token\""));
    if (mayAskForAPassword(request)) {
      response.addHeader(CHALLENGE, "Basic realm=\"quiver\", charset=\"UTF-8\"");
    }
    return Problem.of(
        ProblemType.UNAUTHORIZED,
        "Expected the token of this service but found %s at header Authorization"
            .formatted(header == null ? "none" : "another"));
  }

  private boolean matches(String header) {
    Matcher bearer = BEARER.matcher(header);
    if (bearer.matches()) {
      return isToken(bearer.group(1).getBytes(StandardCharsets.UTF_8));
    }
    Matcher basic = BASIC.matcher(header);
    return basic.matches() && basic.group(1).length() % 4 == 0 && isToken(password(basic.group(1)));
  }

  /// Takes the same time for every wrong token of a length.
  private boolean isToken(byte[] candidate) {
    return MessageDigest.isEqual(candidate, token);
  }

  /// Returns what follows the first colon, or nothing without a colon.
  private static byte[] password(String base64) {
    byte[] credentials = Base64.getDecoder().decode(base64);
    int start = 0;
    while (start < credentials.length && credentials[start] != ':') {
      start++;
    }
    return Arrays.copyOfRange(
        credentials, Math.min(start + 1, credentials.length), credentials.length);
  }

  /// Returns whether a browser, if the client is one, would show its dialog for a page that it
  /// navigates to. Over a page that fetches data, the dialog would be out of place.
  private static boolean mayAskForAPassword(HttpServletRequest request) {
    String mode = CorsFilter.lines(request, "Sec-Fetch-Mode");
    return mode == null || mode.equals("navigate");
  }
}
