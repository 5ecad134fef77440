package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.RequestOrigin;
import dev.quiver.server.http.VaryHeader;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Allows pages of the configured origins to read: the CORS protocol of the Fetch standard.
///
/// Spring's `DefaultCorsProcessor` adds three headers to `Vary` of every response. Only preflights
/// depend on two of them, so shared caches would store needless variants. Here `Vary` is exact.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
public final class CorsFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  /// The response headers that a page needs to read by range.
  private static final String EXPOSED_HEADERS =
      "Accept-Encoding, Accept-Patch, Accept-Post, Accept-Ranges, Allow, Arrow-Batch-Count,"
          + " Arrow-Row-Count, Content-Disposition, Content-Encoding, Content-Length,"
          + " Content-Location, Content-Range, ETag, Last-Modified, Link, Location, Preference-Applied, Quiver-Max-Value-Bytes,"
          + " Quiver-Version, Quiver-Versions, Quiver-Warnings, Repr-Digest, Retry-After, Upload-Complete,"
          + " Upload-Draft-Interop-Version, Upload-Length, Upload-Limit, Upload-Offset, Vary,"
          + " WWW-Authenticate, X-Request-Id";

  private static final String ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

  private static final String ALLOWED_HEADERS =
      "Accept, Authorization, Content-Digest, Content-Encoding, Content-Type,"
          + " Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Range,"
          + " If-Unmodified-Since, Last-Event-ID, Prefer, Quiver-Statement, Range, Repr-Digest,"
          + " Upload-Complete, Upload-Draft-Interop-Version, Upload-Length, Upload-Offset,"
          + " Want-Repr-Digest, X-Request-Id";

  private static final String MAXIMUM_AGE_SECONDS = "86400";

  private final transient List<String> allowedOrigins;

  CorsFilter(QuiverProperties properties) {
    this.allowedOrigins = properties.cors().allowedOrigins();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!allowedOrigins.isEmpty() && !allowedOrigins.contains("*")) {
      VaryHeader.add(response, "Origin");
    }
    String origin = RequestOrigin.header(request);
    String allowed = origin == null ? null : allowed(origin);
    if (allowed != null) {
      response.setHeader("Access-Control-Allow-Origin", allowed);
      response.setHeader("Access-Control-Expose-Headers", EXPOSED_HEADERS);
      response.setHeader("Timing-Allow-Origin", allowed);
      // A page that isolates itself (COEP) loads only resources with this header.
      response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    }
    if (!isPreflight(request)) {
      chain.doFilter(request, response);
    } else if (allowed == null) {
      ProblemWriter.write(
          request,
          response,
          Problem.of(
                  ProblemType.CROSS_SITE,
                  "Expected an origin in quiver.cors.allowed-origins but found "
                      + origin
                      + " at header Origin")
              .withHint(AccessFilter.ORIGIN_HINT));
    } else {
      response.setHeader("Access-Control-Allow-Methods", ALLOWED_METHODS);
      response.setHeader("Access-Control-Allow-Headers", ALLOWED_HEADERS);
      response.setHeader("Access-Control-Max-Age", MAXIMUM_AGE_SECONDS);
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
  }

  /// Returns the value of `Access-Control-Allow-Origin`, or null if the origin may not read.
  private @Nullable String allowed(String origin) {
    if (allowedOrigins.contains("*")) {
      return "*";
    }
    return allowedOrigins.contains(origin) ? origin : null;
  }

  private static boolean isPreflight(HttpServletRequest request) {
    return request.getMethod().equals("OPTIONS")
        && request.getHeader("Origin") != null
        && request.getHeader("Access-Control-Request-Method") != null;
  }
}
