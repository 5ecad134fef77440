package dev.quiver.web;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Status 405, whose `Allow` names what the resource does have: RFC 9110 §15.5.6.
final class MethodNotAllowed {

  private MethodNotAllowed() {}

  static Problem problem(String method, String @Nullable [] supported) {
    Set<String> allowed = new TreeSet<>(supported == null ? Set.of() : Set.of(supported));
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
