package dev.quiver.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Status 405, whose `Allow` names what the resource does have: RFC 9110 §15.5.6.
final class MethodNotAllowed {

  private MethodNotAllowed() {}

  /// @param supported what the handlers of the path have
  static Problem problem(HttpServletRequest request, String @Nullable [] supported) {
    Set<String> allowed = new TreeSet<>(supported == null ? Set.of() : Set.of(supported));
    if (DatasetPath.isReadOnly(request.getServletPath())) {
      allowed.retainAll(Set.of("GET"));
    }
    if (InteropFilter.posted(request) != null) {
      allowed.add("POST");
    }
    return problem(request.getMethod(), allowed);
  }

  /// The problem of a resource that can only be read.
  static Problem readOnly(String method) {
    return problem(method, new TreeSet<>(Set.of("GET")));
  }

  private static Problem problem(String method, Set<String> allowed) {
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    allowed.add("OPTIONS");
    String header = String.join(", ", allowed);
    return Problem.of(
            ProblemType.METHOD_NOT_ALLOWED,
            "Expected " + header + " but found " + method + " at the request line")
        .withHeader("Allow", header);
  }
}
