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
import org.jspecify.annotations.Nullable;

/// Serves `/` like the servers of the Arrow project's HTTP examples, so that their clients can try
/// the service. Each convention maps to one of our resources.
public final class InteropFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final String POSTED = InteropFilter.class.getName() + ".posted";

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
    if (posted != null) {
      request.setAttribute(POSTED, posted.convention());
    }
    chain.doFilter(interop == null ? request : InteropRequest.of(request, interop), response);
  }

  /// Returns the convention for a POST to the path of a request, or null if none applies.
  public static Interop.@Nullable Convention posted(HttpServletRequest request) {
    return (Interop.Convention) request.getAttribute(POSTED);
  }
}
