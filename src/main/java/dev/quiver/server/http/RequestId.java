package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The id of a request, by which its response, its problem and its log lines are found. The id of
/// the client or a proxy is kept if it is well-formed.
public final class RequestId {

  public static final String HEADER = "X-Request-Id";

  /// Characters without escapes in a header, in JSON, in a log line and in a shell.
  private static final Pattern WELL_FORMED = Pattern.compile("[0-9A-Za-z._:/+=@-]{1,128}");

  private static final HexFormat HEX = HexFormat.of();

  /// Distinguishes the ids of this process from those of others.
  private static final long PROCESS = ThreadLocalRandom.current().nextLong();

  private RequestId() {}

  /// Returns the id of a request, the same one each time.
  public static String of(HttpServletRequest request) {
    String sent = sent(request);
    return sent == null ? own(request.getRequestId()) : sent;
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

  /// Returns 128 pseudo-random bits in hexadecimal digits, the same ones for the same request. The
  /// id permits nothing, so it may be guessable.
  ///
  /// @param number the number of the request in this process, which Tomcat counts in hexadecimal
  private static String own(String number) {
    SplittableRandom random = new SplittableRandom(PROCESS + HexFormat.fromHexDigitsToLong(number));
    return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
  }
}
