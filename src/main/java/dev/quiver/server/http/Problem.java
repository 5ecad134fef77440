package dev.quiver.server.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A failure as an `application/problem+json` document: RFC 9457.
///
/// Spring's `ProblemDetail` has no headers, and needs Spring MVC to be written. Filters and a valve
/// of Tomcat, which run outside of Spring MVC, write problems as well.
///
/// @param type a URI that never changes, or `about:blank` if the status is sufficient
/// @param detail a sentence with the expectation and the finding
/// @param members the members beyond the five of the RFC, in order
/// @param headers the headers that the status requires, such as `Allow`
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    Map<String, Object> members,
    Map<String, String> headers) {

  /// The maximum number of characters that a sentence quotes from a request.
  public static final int QUOTE_LENGTH = 100;

  /// The hint about a failure that only the log explains.
  public static final String REPORT_HINT =
      "Tell whoever runs the service the requestId, by which the log explains the failure.";

  /// The hint of a failure that passes, whose response has `Retry-After`.
  public static final String RETRY_HINT =
      "Wait for as long as Retry-After says, and send the request again.";

  /// Returns the problem of a path without a resource.
  public static Problem notFound(String path) {
    return of(ProblemType.NOT_FOUND, "Expected a resource but found none at " + path);
  }

  public static Problem of(ProblemType type, String detail) {
    return new Problem(type.uri(), type.title(), type.status(), detail, Map.of(), Map.of());
  }

  /// Returns a problem of one kind of a type.
  public static Problem of(ProblemType type, Enum<?> kind, String detail) {
    return new Problem(type.uri(kind), type.title(), type.status(), detail, Map.of(), Map.of());
  }

  /// Returns whether this is a problem of a type, without a kind.
  public boolean isOf(ProblemType other) {
    return type.equals(other.uri());
  }

  /// Returns a 400 as an exception.
  public static ProblemException badRequest(String detail) {
    return of(ProblemType.BAD_REQUEST, detail).asException();
  }

  /// Returns a 400 with a sentence that says what the client can do, or without if that is null.
  public static ProblemException badRequest(String detail, @Nullable String hint) {
    return of(ProblemType.BAD_REQUEST, detail).withHint(hint).asException();
  }

  /// Returns a problem without a type of its own.
  public static Problem ofStatus(int status, String title, String detail) {
    return new Problem("about:blank", title, status, detail, Map.of(), Map.of());
  }

  /// Returns the members of the document, in order.
  public Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("type", type);
    document.put("title", title);
    document.put("status", status);
    document.put("detail", detail);
    document.putAll(members);
    return document;
  }

  /// Returns this problem with a further member, or this problem itself if `value` is null.
  public Problem with(String name, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Problem(type, title, status, detail, more, headers);
  }

  /// Returns this problem with a sentence that says what the client can do, or this problem itself
  /// if `hint` is null.
  public Problem withHint(@Nullable String hint) {
    return with("hint", hint);
  }

  /// Returns whether the problem says what the client can do.
  public boolean hasHint() {
    return members.containsKey("hint");
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
