package dev.quiver.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Answers `/` as the servers of the Arrow project's HTTP examples do, so that their clients can be
/// tried on the service: each convention is one of our resources under another name.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 25)
final class InteropFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  /// By method and path.
  private final transient Map<List<String>, Interop> conventions = new HashMap<>();

  InteropFilter(QuiverProperties properties) {
    for (Interop interop : properties.interop()) {
      for (String path : interop.convention().paths()) {
        String method = interop.convention().method();
        if (conventions.put(List.of(method, path), interop) != null) {
          throw new IllegalArgumentException(
              "Expected one convention for %s %s but found two at quiver.interop"
                  .formatted(method, path));
        }
      }
    }
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    Interop interop = conventions.get(List.of(method, request.getRequestURI()));
    chain.doFilter(interop == null ? request : InteropRequest.of(request, interop), response);
  }
}
