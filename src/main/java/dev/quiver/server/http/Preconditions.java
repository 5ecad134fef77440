package dev.quiver.server.http;

import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.PreconditionFailedException.Found;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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

  public static Preconditions of(RequestHead head) {
    return of(head::headers);
  }

  /// @param headers returns the values of a header, one per line
  private static Preconditions of(Function<String, List<String>> headers) {
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
    // A time to come is one of a clock that was ahead, before which other data may have had it.
    boolean unmodified =
        ifModifiedSince != null
            && !modified.isAfter(ifModifiedSince)
            && !modified.isAfter(Instant.now());
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

  /// Returns the condition of the write of a dataset, which compares only commit ids.
  ///
  /// The commit itself checks `If-Match` and `If-None-Match: *`. The other headers are checked when
  /// the write begins, and the commit then requires the version that was found. If a date or the
  /// tags of `If-None-Match` do not match, resolving the condition throws a [ProblemException] with
  /// status 412.
  public WriteCondition ofWrite(DatasetName name) {
    boolean dated = ifMatch == null && ifUnmodifiedSince != null;
    if (ifNoneMatch == null && !dated) {
      return ifMatch == null ? new WriteCondition.None() : matching(ifMatch);
    }
    if (ifNoneMatch != null && ifNoneMatch.any() && ifMatch == null && !dated) {
      return new WriteCondition.IfAbsent();
    }
    return new WriteCondition.ByLatest(latest -> {
      checkWrite(name, latest);
      return ifMatch != null ? matching(ifMatch) : unchanged(latest);
    });
  }

  private static WriteCondition matching(TagCondition ifMatch) {
    return ifMatch.any()
        ? new WriteCondition.IfExists()
        : new WriteCondition.IfCommit(strongCommitIds(ifMatch));
  }

  private static WriteCondition unchanged(@Nullable VersionSummary current) {
    return current == null
        ? new WriteCondition.IfAbsent()
        : new WriteCondition.IfCommit(Set.of(current.commitId()));
  }

  private void checkWrite(DatasetName name, @Nullable VersionSummary current) {
    if (current == null) {
      return;
    }
    boolean modified =
        ifMatch == null
            && ifUnmodifiedSince != null
            && HttpDate.inSeconds(current.committedAt()).isAfter(ifUnmodifiedSince);
    if (modified || excludes(current)) {
      throw Problem.of(
              ProblemType.PRECONDITION_FAILED,
              "Expected If-Unmodified-Since or If-None-Match to hold but found version "
                  + current.version()
                  + " of "
                  + HttpDate.format(current.committedAt())
                  + " at "
                  + name)
          .withHint(hint(name.value(), modified ? Found.ANOTHER_VERSION : Found.A_DATASET))
          .asException();
    }
  }

  /// Returns what helps a write whose condition does not hold.
  public static String hint(String dataset, Found found) {
    return switch (found) {
      case NO_DATASET -> "Leave out the condition to create the dataset.";
      case A_DATASET ->
          "Leave out If-None-Match to write to the dataset that exists, or choose another name.";
      case ANOTHER_VERSION ->
          "Ask for the current ETag by HEAD %s/datasets/%s, and send it as If-Match."
              .formatted(PublicPath.prefix(), dataset);
    };
  }

  private boolean excludes(VersionSummary current) {
    return ifNoneMatch != null
        && (ifNoneMatch.any()
            || ifNoneMatch.tags().stream()
                .anyMatch(tag -> tag.commitId().equals(current.commitId())));
  }

  private static Set<String> strongCommitIds(TagCondition ifMatch) {
    return ifMatch.tags().stream()
        .filter(tag -> !tag.weak())
        .map(EntityTag::commitId)
        .collect(Collectors.toSet());
  }
}
