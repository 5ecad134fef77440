package dev.quiver.server.http;

import dev.quiver.server.http.Preconditions.TagCondition;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The conditional headers of a write: RFC 9110 §13.1. They compare only commit ids.
///
/// The commit itself checks `If-Match` and `If-None-Match: *`. The other headers are checked when
/// the write begins, and the commit then requires the version that was found.
public final class WriteConditions {

  private final Preconditions headers;
  private final DatasetName name;

  private WriteConditions(Preconditions headers, DatasetName name) {
    this.headers = headers;
    this.name = name;
  }

  /// Returns the condition of a request. If a date or the tags of `If-None-Match` do not match,
  /// resolving the condition throws a [dev.quiver.server.http.ProblemException] with status 412.
  public static WriteCondition of(RequestHead head, DatasetName name) {
    return new WriteConditions(Preconditions.of(head::headers), name).condition();
  }

  private WriteCondition condition() {
    TagCondition ifMatch = headers.ifMatch();
    TagCondition ifNoneMatch = headers.ifNoneMatch();
    boolean dated = ifMatch == null && headers.ifUnmodifiedSince() != null;
    if (ifNoneMatch == null && !dated) {
      return ifMatch == null ? new WriteCondition.None() : matching(ifMatch);
    }
    if (ifNoneMatch != null && ifNoneMatch.any() && ifMatch == null && !dated) {
      return new WriteCondition.IfAbsent();
    }
    return new WriteCondition.ByLatest(latest -> {
      check(latest);
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

  private void check(@Nullable VersionSummary current) {
    if (current == null) {
      return;
    }
    boolean modified =
        headers.ifMatch() == null
            && headers.ifUnmodifiedSince() != null
            && HttpDate.inSeconds(current.committedAt()).isAfter(headers.ifUnmodifiedSince());
    if (modified || excludes(headers.ifNoneMatch(), current)) {
      throw Problem.of(
              ProblemType.PRECONDITION_FAILED,
              "Expected If-Unmodified-Since or If-None-Match to hold but found version "
                  + current.version()
                  + " of "
                  + HttpDate.format(current.committedAt())
                  + " at "
                  + name)
          .asException();
    }
  }

  private static boolean excludes(@Nullable TagCondition ifNoneMatch, VersionSummary current) {
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
