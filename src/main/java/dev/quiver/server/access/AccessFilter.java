package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.resource.Paths;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Rejects cross-site writes, and all writes while the service is read-only. It does so before the
/// body of a request is read, and before its credentials are. A POST that stores nothing counts as
/// a read.
///
/// CORS alone does not stop a POST without a content type: a browser sends it and only hides the
/// response.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 30)
public final class AccessFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private static final Set<String> STORING_NOTHING = Set.of(Paths.INSPECT, Paths.CONVERT);

  private final transient ListenAddress address;
  private final transient HostFilter hosts;
  private final transient List<String> allowedOrigins;

  public AccessFilter(QuiverProperties properties, ListenAddress address, HostFilter hosts) {
    this.address = address;
    this.hosts = hosts;
    this.allowedOrigins = properties.cors().allowedOrigins();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Problem problem = problem(request);
    if (problem == null) {
      chain.doFilter(request, response);
    } else {
      ProblemWriter.write(request, response, problem);
    }
  }

  private @Nullable Problem problem(HttpServletRequest request) {
    if (isEmbeddedElsewhere(request)) {
      return Problem.of(
          ProblemType.CROSS_SITE,
          "Expected a page of this service but found one that embeds the response at header"
              + " Sec-Fetch-Mode");
    }
    boolean safe = SAFE_METHODS.contains(request.getMethod());
    boolean reads = safe || storesNothing(request.getServletPath());
    if (!safe && !mayWrite(request)) {
      return Problem.of(
          ProblemType.CROSS_SITE,
          "Expected a page of this service or of an origin in quiver.cors.allowed-origins but found"
              + rejectedSite(request));
    }
    if (!safe && address.isOpen() && isOfOwnPage(request)) {
      Problem misdirected = hosts.problem(request);
      if (misdirected != null) {
        return misdirected;
      }
    }
    String refusal = reads ? null : address.writeRefusal(request);
    return refusal == null
        ? null
        : Problem.of(
            ProblemType.READ_ONLY,
            "Expected a read but found %s at the request line: %s"
                .formatted(request.getMethod(), refusal));
  }

  /// Returns whether a page of another site embeds what requires a permission, as a picture for
  /// example. It cannot read the response (`Cross-Origin-Resource-Policy`), so it only wants the
  /// work.
  private static boolean isEmbeddedElsewhere(HttpServletRequest request) {
    return isFromElsewhere(request)
        && "no-cors".equals(CorsFilter.lines(request, "Sec-Fetch-Mode"))
        && Route.of(request).requirement() != Requirement.NOTHING;
  }

  private static boolean isFromElsewhere(HttpServletRequest request) {
    String site = CorsFilter.lines(request, "Sec-Fetch-Site");
    return site != null && !site.equals("same-origin") && !site.equals("none");
  }

  private static boolean storesNothing(String path) {
    return STORING_NOTHING.contains(path) || Paths.isSql(path);
  }

  /// Returns whether a write comes from a page that may write, or from a client other than a
  /// browser.
  ///
  /// Browsers send `Sec-Fetch-Site` or at least `Origin`, which pages cannot change. A client that
  /// sends neither is not a recent browser.
  private boolean mayWrite(HttpServletRequest request) {
    String origin = CorsFilter.lines(request, "Origin");
    if (origin != null && allowedOrigins.contains(origin)) {
      return true;
    }
    return !isFromElsewhere(request)
        && (origin == null || isSameOrigin(origin, request.getHeader("Host")));
  }

  /// Returns whether a write that is not cross-site comes from a page of the same name. Another
  /// site can point its own name at the service, so the name must be a known one if nothing else
  /// stops such a write.
  private boolean isOfOwnPage(HttpServletRequest request) {
    String origin = CorsFilter.lines(request, "Origin");
    return origin == null
        ? CorsFilter.lines(request, "Sec-Fetch-Site") != null
        : !allowedOrigins.contains(origin);
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

  /// Describes the rejected site by the header that identified it; not every browser sends both.
  private static String rejectedSite(HttpServletRequest request) {
    String origin = CorsFilter.lines(request, "Origin");
    return origin == null
        ? " " + CorsFilter.lines(request, "Sec-Fetch-Site") + " at header Sec-Fetch-Site"
        : " " + origin + " at header Origin";
  }
}
