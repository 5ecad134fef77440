package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The site that a request comes from, by the headers that browsers add and pages cannot change.
///
/// ```text
/// Origin         → of requests that CORS governs, and of WebSockets
/// Sec-Fetch-Site → same-origin | same-site | cross-site | none, if the URL was typed
/// Sec-Fetch-Mode → navigate | cors | no-cors | …
/// Sec-Fetch-Dest → document, for a tab of its own | iframe | image | …
/// Sec-Purpose    → prefetch, if the tab may never be shown
/// ```
///
/// Browsers omit `Sec-Fetch-*` at plain HTTP beyond loopback, and at `ws:`. Other clients send none
/// of these headers.
public final class RequestOrigin {

  private RequestOrigin() {}

  /// Returns the value of `Origin`, or null if absent.
  public static @Nullable String header(HttpServletRequest request) {
    return lines(request, "Origin");
  }

  /// Returns the value of `Sec-Fetch-Site`, or null if absent.
  public static @Nullable String site(HttpServletRequest request) {
    return lines(request, "Sec-Fetch-Site");
  }

  /// Returns whether the request comes from a page of another origin. Another port of the same host
  /// is another origin.
  public static boolean isForeign(HttpServletRequest request) {
    String site = site(request);
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return true;
    }
    String origin = header(request);
    return origin != null && !isSameOrigin(origin, request.getHeader("Host"));
  }

  /// Returns whether a browser opens the URL in a tab of its own, and not in a frame or in advance.
  public static boolean isVisit(HttpServletRequest request) {
    return "navigate".equals(lines(request, "Sec-Fetch-Mode"))
        && "document".equals(lines(request, "Sec-Fetch-Dest"))
        && request.getHeader("Sec-Purpose") == null;
  }

  /// Returns whether a browser opens the URL in a frame of a page.
  public static boolean isFrame(HttpServletRequest request) {
    return "navigate".equals(lines(request, "Sec-Fetch-Mode"))
        && "iframe".equals(lines(request, "Sec-Fetch-Dest"))
        && request.getHeader("Sec-Purpose") == null;
  }

  /// Returns whether a page of another origin leads a browser to the URL, by a link for example.
  public static boolean isLinkedFromElsewhere(HttpServletRequest request) {
    return isForeign(request) && isVisit(request);
  }

  /// Returns all lines of a header as one value (RFC 9110 §5.3), or null if absent. Two origins are
  /// then not an allowed one.
  private static @Nullable String lines(HttpServletRequest request, String name) {
    String first = request.getHeader(name);
    return first == null ? null : String.join(", ", Collections.list(request.getHeaders(name)));
  }

  /// Compares without the scheme, which a reverse proxy may have changed.
  private static boolean isSameOrigin(String origin, @Nullable String host) {
    int scheme = origin.indexOf("://");
    if (scheme < 0 || host == null) {
      return false;
    }
    String port = origin.startsWith("https:") ? ":443" : ":80";
    String authority = origin.substring(scheme + 3);
    return withoutPort(authority, port).equals(withoutPort(host, port));
  }

  private static String withoutPort(String authority, String defaultPort) {
    String text = authority.toLowerCase(Locale.ROOT);
    return text.endsWith(defaultPort)
        ? text.substring(0, text.length() - defaultPort.length())
        : text;
  }
}
