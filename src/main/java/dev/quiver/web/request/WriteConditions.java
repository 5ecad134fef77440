package dev.quiver.web.request;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.version.DatasetException;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.web.http.EntityTag;
import dev.quiver.web.http.HttpDate;
import dev.quiver.web.http.Preconditions;
import dev.quiver.web.http.Preconditions.TagCondition;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What must hold for a write: the conditional headers of RFC 9110 §13.1, by commit id alone.
///
/// `If-Match` and `If-None-Match: *` are conditions that the commit itself looks at. The others are
/// looked at here, and the commit then insists on what was found.
public final class WriteConditions {

  private final Preconditions headers;
  private final Datasets datasets;
  private final DatasetName name;

  private WriteConditions(Preconditions headers, Datasets datasets, DatasetName name) {
    this.headers = headers;
    this.datasets = datasets;
    this.name = name;
  }

  /// @throws ProblemException 412 when a condition does not hold already
  public static WriteCondition of(HttpServletRequest request, Datasets datasets, DatasetName name)
      throws IOException {
    return new WriteConditions(Preconditions.of(request), datasets, name).condition();
  }

  private WriteCondition condition() throws IOException {
    TagCondition ifMatch = headers.ifMatch();
    TagCondition ifNoneMatch = headers.ifNoneMatch();
    boolean dated = ifMatch == null && headers.ifUnmodifiedSince() != null;
    if (ifNoneMatch == null && !dated) {
      return ifMatch == null ? new WriteCondition.None() : matching(ifMatch);
    }
    if (ifNoneMatch != null && ifNoneMatch.any() && ifMatch == null && !dated) {
      return new WriteCondition.IfAbsent();
    }
    VersionSummary current = current();
    check(current);
    return ifMatch != null ? matching(ifMatch) : unchanged(current);
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
              "Expected what If-Unmodified-Since or If-None-Match asks for but found version "
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

  private @Nullable VersionSummary current() throws IOException {
    try {
      return datasets.summary(new DatasetReference(name, null));
    } catch (DatasetException absent) {
      return null;
    }
  }
}
