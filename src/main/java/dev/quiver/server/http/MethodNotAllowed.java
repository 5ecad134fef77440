package dev.quiver.server.http;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Status 405 with the methods of the resource in `Allow`: RFC 9110 §15.5.6.
public final class MethodNotAllowed {

  private MethodNotAllowed() {}

  /// Returns the problem of a read-only resource.
  public static Problem readOnly(String method) {
    return problem(method, Set.of("GET"));
  }

  /// @param supported the methods of the resource; HEAD is added if GET is present, OPTIONS always
  public static Problem problem(String method, Set<String> supported) {
    Set<String> allowed = new TreeSet<>(supported);
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    allowed.add("OPTIONS");
    String header = String.join(", ", allowed);
    return Problem.of(
            ProblemType.METHOD_NOT_ALLOWED,
            "Expected " + header + " but found " + method + " at the request line")
        .withHint("Send %s instead.".formatted(String.join(" or ", instead(allowed))))
        .withHeader("Allow", header);
  }

  /// Returns the methods that do something that others do not.
  private static List<String> instead(Set<String> allowed) {
    List<String> methods =
        allowed.stream().filter(method -> !Set.of("HEAD", "OPTIONS").contains(method)).toList();
    return methods.isEmpty() ? List.copyOf(allowed) : methods;
  }
}
