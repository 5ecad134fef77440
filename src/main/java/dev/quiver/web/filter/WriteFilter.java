package dev.quiver.web.filter;

import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemType;
import dev.quiver.web.problem.ProblemWriter;
import dev.quiver.web.resource.Paths;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Rejects cross-site writes, and all writes while the service is read-only.
///
/// A write is rejected before its body is read. CORS alone does not stop a POST without a content
/// type: a browser sends it and only hides the response.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 30)
public final class WriteFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private static final Set<String> STORING_NOTHING = Set.of(Paths.INSPECT, Paths.CONVERT);

  private final transient ListenAddress address;
  private final transient AllowedOrigins origins;

  WriteFilter(ListenAddress address, AllowedOrigins origins) {
    this.address = address;
    this.origins = origins;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Problem problem = SAFE_METHODS.contains(request.getMethod()) ? null : problem(request);
    if (problem == null) {
      chain.doFilter(request, response);
    } else {
      ProblemWriter.write(request, response, problem);
    }
  }

  private @Nullable Problem problem(HttpServletRequest request) {
    if (!origins.mayWrite(request)) {
      return Problem.of(
          ProblemType.CROSS_SITE,
          "Expected a page of this service or of an origin in quiver.cors.allowed-origins but found"
              + rejectedSite(request));
    }
    return address.isWritable() || storesNothing(request)
        ? null
        : Problem.of(
            ProblemType.READ_ONLY,
            "Expected a read but found "
                + request.getMethod()
                + " at the request line: on this listen address, writes require"
                + " quiver.token or quiver.allow-remote-writes=true");
  }

  /// Returns whether a POST stores nothing.
  static boolean storesNothing(HttpServletRequest request) {
    return STORING_NOTHING.contains(request.getServletPath());
  }

  /// Describes the rejected site by the header that identified it; not every browser sends both.
  private static String rejectedSite(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    return origin == null
        ? " " + request.getHeader("Sec-Fetch-Site") + " at header Sec-Fetch-Site"
        : " " + origin + " at header Origin";
  }
}
