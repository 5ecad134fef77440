package dev.quiver.server.access;

import dev.quiver.server.config.Interop;
import dev.quiver.server.config.QuiverProperties;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Serves `/` like the servers of the Arrow project's HTTP examples, so that their clients can try
/// the service. Each convention maps to one of our resources.
public final class InteropFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  /// The conventions by method and path.
  private final transient Map<List<String>, Interop> conventions = new HashMap<>();

  InteropFilter(QuiverProperties properties) {
    for (Interop interop : properties.interop()) {
      for (String path : interop.convention().paths()) {
        String method = interop.convention().method();
        conventions.put(List.of(method, path), interop);
      }
    }
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    String path = request.getRequestURI();
    Interop interop = conventions.get(List.of(method, path));
    Interop posted = conventions.get(List.of("POST", path));
    if (interop == null && posted == null) {
      chain.doFilter(request, response);
      return;
    }
    InteropRequest wrapped =
        interop == null
            ? InteropRequest.ofOtherMethod(request)
            : InteropRequest.of(request, interop);
    chain.doFilter(posted == null ? wrapped : wrapped.withPosted(posted.convention()), response);
  }
}
