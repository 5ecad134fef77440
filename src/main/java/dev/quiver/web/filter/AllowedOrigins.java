package dev.quiver.web.filter;

import dev.quiver.config.QuiverProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The origins whose pages may use the service: `quiver.cors.allowed-origins`.
@Component
public final class AllowedOrigins {

  private final List<String> allowed;

  public AllowedOrigins(QuiverProperties properties) {
    this.allowed = properties.cors().allowedOrigins();
  }

  /// Returns whether responses depend on the `Origin` header.
  boolean vary() {
    return !allowed.isEmpty() && !allowed.contains("*");
  }

  /// Returns the value of `Access-Control-Allow-Origin`, or null if the origin may not read.
  @Nullable String readable(String origin) {
    if (allowed.contains("*")) {
      return "*";
    }
    return allowed.contains(origin) ? origin : null;
  }

  /// Returns whether a write comes from a page that may write, or from a client other than a
  /// browser.
  ///
  /// Browsers send `Sec-Fetch-Site` or at least `Origin`, which pages cannot change. A client that
  /// sends neither is not a recent browser.
  boolean mayWrite(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    if (origin != null && allowed.contains(origin)) {
      return true;
    }
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return false;
    }
    return origin == null || isSameOrigin(origin, request.getHeader("Host"));
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
