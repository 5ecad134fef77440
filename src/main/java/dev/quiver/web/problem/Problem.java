package dev.quiver.web.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A failure as an `application/problem+json` document: RFC 9457.
///
/// Spring's `ProblemDetail` has no headers, and needs Spring MVC to be written. Filters and a valve
/// of Tomcat, which run outside of Spring MVC, write problems as well.
///
/// @param type a URI that never changes, or `about:blank` when the status says it all
/// @param detail what was expected and what was found, as one sentence
/// @param members what is told beyond the five members of the RFC, in order
/// @param headers what the status needs, such as `Allow`
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    Map<String, Object> members,
    Map<String, String> headers) {

  /// How many characters of what a client sent a sentence quotes at most.
  public static final int QUOTE_LENGTH = 100;

  /// The problem of a path without a resource.
  public static Problem notFound(String path) {
    return of(
        ProblemType.NOT_FOUND, "Expected a resource of this service but found none at " + path);
  }

  public static Problem of(ProblemType type, String detail) {
    return new Problem(type.uri(), type.title(), type.status(), detail, Map.of(), Map.of());
  }

  /// A problem of one kind of a type.
  public static Problem of(ProblemType type, Enum<?> kind, String detail) {
    return new Problem(type.uri(kind), type.title(), type.status(), detail, Map.of(), Map.of());
  }

  /// A problem that has nothing to say but its status.
  public static Problem ofStatus(int status, String title, String detail) {
    return new Problem("about:blank", title, status, detail, Map.of(), Map.of());
  }

  /// This problem with one more member; the same one when `value` is null.
  public Problem with(String name, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Problem(type, title, status, detail, more, headers);
  }

  public Problem withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Problem(type, title, status, detail, members, more);
  }

  public ProblemException asException() {
    return new ProblemException(this);
  }
}
