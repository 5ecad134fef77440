package dev.quiver.web.resource;

import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.web.http.EntityTag;

/// The entity tag of a version.
public final class VersionTag {

  private VersionTag() {}

  /// Returns the tag of the stored file, as `If-Match` expects it.
  public static EntityTag of(VersionSummary summary) {
    return EntityTag.of(summary.commitId(), summary.version());
  }
}
