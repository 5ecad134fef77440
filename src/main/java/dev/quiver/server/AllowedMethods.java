package dev.quiver.server;

import dev.quiver.server.access.InteropRequest;
import dev.quiver.server.http.MethodNotAllowed;
import dev.quiver.server.http.Problem;
import dev.quiver.server.resource.DatasetPath;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The methods of the resource that a request names.
public final class AllowedMethods {

  private AllowedMethods() {}

  /// Returns status 405 with the methods of the resource.
  ///
  /// @param supported the methods that the handlers of the path support, or null if unknown
  public static Problem problem(HttpServletRequest request, String @Nullable [] supported) {
    Set<String> allowed = new TreeSet<>(supported == null ? Set.of() : Set.of(supported));
    if (DatasetPath.isReadOnly(request.getServletPath())) {
      allowed.retainAll(Set.of("GET"));
    }
    if (InteropRequest.posted(request) != null) {
      allowed.add("POST");
    }
    return MethodNotAllowed.problem(request.getMethod(), allowed);
  }
}
