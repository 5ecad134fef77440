package dev.quiver.server.access;

import dev.quiver.server.config.BasePath;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.PublicPath;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/// The URLs at which clients know the service, and their paths.
@Component
public final class PublicUrls {

  private final List<URI> configured;
  private final List<String> publicUrls;
  private final String contextPath;
  private final ListenAddress address;

  PublicUrls(QuiverProperties properties, ServerProperties server, ListenAddress address) {
    this.configured = properties.publicUrls();
    this.publicUrls =
        configured.stream().map(url -> url.toString().replaceFirst("/+$", "")).toList();
    this.contextPath = Objects.requireNonNullElse(server.getServlet().getContextPath(), "");
    this.address = address;
  }

  /// Returns the prefixes of absolute URLs, such as `http://localhost:8080`: `quiver.public-urls`,
  /// or else what a trusted proxy tells, or the `Host` of the request. `Host` is trusted only on
  /// loopback, where [HostFilter] rejects other names.
  ///
  /// @return the prefixes, empty if unknown
  public List<String> of(HttpServletRequest request) {
    if (!publicUrls.isEmpty()) {
      return publicUrls;
    }
    String host = request.getHeader("Host");
    boolean isChecked = address.isLoopback() || ForwardedRequest.hasHost(request);
    return isChecked && host != null
        ? List.of(request.getScheme() + "://" + host + PublicPath.prefix())
        : List.of();
  }

  /// Returns the prefix of URLs in commands that a person copies from the response. It goes to the
  /// sender of `Host` alone, so that an unchecked one suffices.
  public String site(HttpServletRequest request) {
    List<String> known = of(request);
    if (!known.isEmpty()) {
      return known.getFirst();
    }
    String host = request.getHeader("Host");
    // HTTP/1.0 has none.
    return host == null
        ? "https://this-service"
        : request.getScheme() + "://" + host + PublicPath.prefix();
  }

  /// Returns whether all clients know the service at the root of its host, unless a trusted proxy
  /// tells otherwise.
  boolean haveNoPath() {
    return BasePath.all(contextPath, configured).isEmpty();
  }

  /// Returns the path below which the client of a request knows the service, or empty: what a
  /// trusted proxy tells, or what precedes the resource in the path of the request. If a proxy has
  /// removed it, it is that of the public URL with the name in `Host`, of the first public URL, or
  /// of `server.servlet.context-path`.
  String path(HttpServletRequest request) {
    String forwarded = ForwardedRequest.prefix(request);
    if (forwarded != null) {
      return forwarded;
    }
    String removed = PublicPath.removed(request);
    if (removed != null) {
      return removed;
    }
    String host = request.getHeader("Host");
    return configured.stream()
        .filter(url -> isAt(url, host))
        .findFirst()
        .or(() -> configured.stream().findFirst())
        .map(BasePath::of)
        .orElse(contextPath);
  }

  /// Returns whether an origin is that of a public URL. A proxy may have replaced the `Host` with
  /// which an origin is compared otherwise.
  boolean haveOrigin(String origin) {
    return configured.stream()
        .anyMatch(url ->
            origin.startsWith(url.getScheme() + "://")
                && isAt(url, origin.substring(url.getScheme().length() + 3)));
  }

  private static boolean isAt(URI url, @Nullable String host) {
    String port = url.getScheme().equals("https") ? ":443" : ":80";
    return host != null && withoutPort(host, port).equals(withoutPort(url.getRawAuthority(), port));
  }

  private static String withoutPort(String authority, String defaultPort) {
    String text = authority.toLowerCase(Locale.ROOT);
    return text.endsWith(defaultPort)
        ? text.substring(0, text.length() - defaultPort.length())
        : text;
  }
}
