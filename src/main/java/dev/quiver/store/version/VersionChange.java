package dev.quiver.store.version;

import org.jspecify.annotations.Nullable;

/// A version, and the number of rows that it added.
///
/// @param rows the rows that an append or an extension added, or all rows of an upload; null if the
///   version before an append has expired, so that the number is unknown
public record VersionChange(VersionSummary summary, @Nullable Long rows) {

  /// Returns the change from one version to the next.
  ///
  /// @param before the version before, or null if it has expired
  public static VersionChange of(@Nullable VersionSummary before, VersionSummary summary) {
    long total = summary.file().rows();
    return new VersionChange(
        summary,
        switch (summary.kind()) {
          case UPLOAD -> total;
          case APPEND, EXTEND -> before == null ? null : (Long) (total - before.file().rows());
          case COMPACTION, DELETE, DAMAGED -> 0L;
        });
  }

  /// Returns whether the version deleted the dataset.
  public boolean isDelete() {
    return summary.kind() == VersionKind.DELETE;
  }
}
