package dev.quiver.server;

import dev.quiver.server.access.InteropRequest;
import dev.quiver.server.http.MethodNotAllowed;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
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
    Problem problem = MethodNotAllowed.problem(request.getMethod(), allowed);
    String hint = hint(request.getMethod(), request.getServletPath());
    return hint == null ? problem : problem.withHint(hint);
  }

  /// Returns what to do instead of a write that the path does not have, or null if unknown.
  private static @Nullable String hint(String method, String path) {
    String prefix = PublicPath.prefix();
    if (DatasetPath.isReadOnly(path)) {
      return "A version never changes: write to %s, which adds one."
          .formatted(prefix + path.substring(0, path.indexOf('@')));
    }
    boolean isOfDatasets =
        path.equals("/") || path.startsWith(Paths.DATASETS) && path.indexOf('/', 1) < 0;
    if (isOfDatasets && (method.equals("PUT") || method.equals("POST"))) {
      return "Send the data by PUT %1$s/datasets/NAME, or by POST %1$s/datasets.".formatted(prefix);
    }
    boolean isOfDataset =
        path.startsWith(Paths.INDEX) && path.indexOf('/', Paths.INDEX.length()) < 0;
    return isOfDataset && method.equals("PATCH")
        ? "PUT replaces the rows, and POST appends to them."
        : null;
  }
}
