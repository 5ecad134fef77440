package dev.quiver.web.filter;

import dev.quiver.config.QuiverProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Which sites a browser may be on when it uses the service.
@Component
public final class AllowedOrigins {

  private final List<String> allowed;

  AllowedOrigins(QuiverProperties properties) {
    this.allowed = properties.cors().allowedOrigins();
  }

  /// Whether answers depend on the `Origin` header.
  boolean vary() {
    return !allowed.isEmpty() && !allowed.contains("*");
  }

  /// The value of `Access-Control-Allow-Origin`; null when the origin may not read.
  @Nullable String readable(String origin) {
    if (allowed.contains("*")) {
      return "*";
    }
    return allowed.contains(origin) ? origin : null;
  }

  /// Whether a request that writes comes from a page that may, or from no page at all.
  ///
  /// A browser says so in `Sec-Fetch-Site`, or else in `Origin`, which pages cannot change. What
  /// has neither is not a browser of the last years.
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

  /// Compares without the scheme, which a proxy in front of the service may have changed.
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
