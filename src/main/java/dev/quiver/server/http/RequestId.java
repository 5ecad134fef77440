package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The id of a request, by which its response, its problem and its log lines are found. The id of
/// the client or a proxy is kept if it is well-formed.
public final class RequestId {

  public static final String HEADER = "X-Request-Id";

  private static final String ATTRIBUTE = RequestId.class.getName();

  /// Characters without escapes in a header, in JSON, in a log line and in a shell.
  private static final Pattern WELL_FORMED = Pattern.compile("[0-9A-Za-z._:/+=@-]{1,128}");

  private static final HexFormat HEX = HexFormat.of();

  private RequestId() {}

  /// Returns the id of a request, the same one each time.
  public static String of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof String known) {
      return known;
    }
    String sent = sent(request);
    String id = sent == null ? next() : sent;
    request.setAttribute(ATTRIBUTE, id);
    return id;
  }

  /// Returns the id that came with the request, or null if it is absent, malformed or repeated.
  private static @Nullable String sent(HttpServletRequest request) {
    Enumeration<String> lines = request.getHeaders(HEADER);
    if (!lines.hasMoreElements()) {
      return null;
    }
    String first = lines.nextElement();
    return !lines.hasMoreElements() && WELL_FORMED.matcher(first).matches() ? first : null;
  }

  /// Returns 128 random bits in hexadecimal digits. The id permits nothing, so it may be guessable.
  private static String next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
  }
}
