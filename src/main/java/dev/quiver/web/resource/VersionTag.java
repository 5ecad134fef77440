package dev.quiver.web.resource;

import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.web.http.EntityTag;
import org.jspecify.annotations.Nullable;

/// The entity tags of a version's representations: `"<commit id>.<version>"` for the stored file,
/// with `.<variant>` after it for any other.
public final class VersionTag {

  private VersionTag() {}

  /// Returns the tag of the stored file, as `If-Match` expects it.
  public static EntityTag of(VersionSummary summary) {
    return of(summary, null);
  }

  /// @param variant the representation, or null for the stored file
  public static EntityTag of(VersionSummary summary, @Nullable String variant) {
    return EntityTag.of(summary.commitId(), summary.version(), variant);
  }
}
