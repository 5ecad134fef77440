package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The conditional headers of a request: RFC 9110 §13.
///
/// Dates are compared in whole seconds. An invalid date is ignored.
///
/// @param ifMatch null if absent
/// @param ifNoneMatch null if absent
/// @param ifRange a tag or a date as received, or null if absent
public record Preconditions(
    @Nullable TagCondition ifMatch,
    @Nullable Instant ifUnmodifiedSince,
    @Nullable TagCondition ifNoneMatch,
    @Nullable Instant ifModifiedSince,
    @Nullable String ifRange) {

  /// The outcome of the evaluation.
  public enum Outcome {
    PROCEED,
    NOT_MODIFIED,
    FAILED
  }

  /// A list of tags, or `*` for any representation.
  public record TagCondition(boolean any, List<EntityTag> tags) {

    static TagCondition parse(String value) {
      return value.strip().equals("*")
          ? new TagCondition(true, List.of())
          : new TagCondition(false, EntityTag.parseList(value));
    }

    boolean matchesStrongly(@Nullable EntityTag current) {
      return current != null && (any || tags.stream().anyMatch(current::matchesStrongly));
    }

    boolean matchesWeakly(@Nullable EntityTag current) {
      return current != null && (any || tags.stream().anyMatch(current::matchesWeakly));
    }
  }

  public static Preconditions of(HttpServletRequest request) {
    return of(name -> Collections.list(request.getHeaders(name)));
  }

  /// @param headers returns the values of a header, one per line
  static Preconditions of(Function<String, List<String>> headers) {
    return new Preconditions(
        tags(headers, "If-Match"),
        date(headers, "If-Unmodified-Since"),
        tags(headers, "If-None-Match"),
        date(headers, "If-Modified-Since"),
        first(headers, "If-Range"));
  }

  private static @Nullable TagCondition tags(Function<String, List<String>> headers, String name) {
    List<String> lines = headers.apply(name);
    return lines.isEmpty() ? null : TagCondition.parse(String.join(", ", lines));
  }

  private static @Nullable Instant date(Function<String, List<String>> headers, String name) {
    String value = first(headers, name);
    return value == null ? null : HttpDate.parse(value);
  }

  private static @Nullable String first(Function<String, List<String>> headers, String name) {
    List<String> lines = headers.apply(name);
    return lines.isEmpty() ? null : lines.getFirst();
  }

  /// Evaluates a GET or HEAD of an existing representation, in the order of RFC 9110 §13.2.2.
  public Outcome evaluate(EntityTag current, Instant lastModified) {
    Instant modified = HttpDate.inSeconds(lastModified);
    if (ifMatch != null) {
      if (!ifMatch.matchesStrongly(current)) {
        return Outcome.FAILED;
      }
    } else if (ifUnmodifiedSince != null && modified.isAfter(ifUnmodifiedSince)) {
      return Outcome.FAILED;
    }
    if (ifNoneMatch != null) {
      return ifNoneMatch.matchesWeakly(current) ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
    }
    boolean unmodified = ifModifiedSince != null && !modified.isAfter(ifModifiedSince);
    return unmodified ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
  }

  /// Evaluates a GET or HEAD of a representation without a date: RFC 9110 §13.1.3 and §13.1.4 have
  /// conditions on dates ignored.
  public Outcome evaluate(EntityTag current) {
    if (ifMatch != null && !ifMatch.matchesStrongly(current)) {
      return Outcome.FAILED;
    }
    return ifNoneMatch != null && ifNoneMatch.matchesWeakly(current)
        ? Outcome.NOT_MODIFIED
        : Outcome.PROCEED;
  }

  /// Returns whether `Range` applies: if `If-Range` is absent or strongly matches this tag.
  ///
  /// A date never matches. It has whole seconds, and two versions may share one.
  public boolean rangeApplies(EntityTag current) {
    if (ifRange == null) {
      return true;
    }
    EntityTag tag = EntityTag.parse(ifRange);
    return tag != null && tag.matchesStrongly(current);
  }
}
