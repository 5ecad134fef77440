package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The token that a request carries in `Authorization`: as a bearer token (RFC 6750), or as the
/// password of any user (RFC 7617).
///
/// Tools send the password for URLs such as `http://user:token@host`, and have no other way to send
/// a token.
final class Credentials {

  /// The schemes are case-insensitive.
  private static final Pattern BEARER =
      Pattern.compile("(?i:Bearer) +(" + QuiverProperties.TOKEN + ") *");

  private static final Pattern BASIC = Pattern.compile("(?i:Basic) +([0-9A-Za-z+/]+={0,2}) *");

  private Credentials() {}

  /// Returns the token, or null if the header has none.
  static @Nullable String token(HttpServletRequest request) {
    String header = String.valueOf(request.getHeader("Authorization"));
    Matcher bearer = BEARER.matcher(header);
    if (bearer.matches()) {
      return bearer.group(1);
    }
    Matcher basic = BASIC.matcher(header);
    return basic.matches() && basic.group(1).length() % 4 == 0 ? password(basic.group(1)) : null;
  }

  /// Returns what follows the first colon, or null if that cannot be a token.
  private static @Nullable String password(String base64) {
    byte[] credentials = Base64.getDecoder().decode(base64);
    int colon = 0;
    while (colon < credentials.length && credentials[colon] != ':') {
      colon++;
    }
    int start = Math.min(colon + 1, credentials.length);
    String password =
        new String(credentials, start, credentials.length - start, StandardCharsets.ISO_8859_1);
    return QuiverProperties.TOKEN.matcher(password).matches() ? password : null;
  }
}
