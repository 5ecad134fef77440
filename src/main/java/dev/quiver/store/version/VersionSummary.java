package dev.quiver.store.version;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The properties of a version that are known without opening its data.
///
/// @param version the number of the version, counted from 1 per name; never reused
/// @param commitId random; the basis of entity tags
/// @param firstVersion the version that created the dataset; earlier ones belong to a deleted
///   dataset
/// @param committedAt the time of the commit, to the millisecond
/// @param source the last imported file, whether by this version or an earlier one; null if no file
///   was imported
/// @param expiresAt when the version ends, to the millisecond; null if it has no end
public record VersionSummary(
    DatasetName name,
    long version,
    String commitId,
    VersionKind kind,
    long firstVersion,
    Instant committedAt,
    StoredFile file,
    @Nullable ImportSource source,
    @Nullable Instant expiresAt) {

  public VersionSummary {
    committedAt = committedAt.truncatedTo(ChronoUnit.MILLIS);
    expiresAt = expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MILLIS);
  }

  /// A version without an end.
  public VersionSummary(
      DatasetName name,
      long version,
      String commitId,
      VersionKind kind,
      long firstVersion,
      Instant committedAt,
      StoredFile file,
      @Nullable ImportSource source) {
    this(name, version, commitId, kind, firstVersion, committedAt, file, source, null);
  }

  /// Returns what is known of a version whose manifest is damaged.
  public static VersionSummary damaged(DatasetName name, long version) {
    return new VersionSummary(
        name, version, "", VersionKind.DAMAGED, 1, Instant.EPOCH, StoredFile.NONE, null);
  }

  /// Returns the reference to this version, such as `cities@3`.
  public DatasetReference reference() {
    return new DatasetReference(name, version);
  }

  /// Returns whether the version has ended. A dataset whose latest version has ended is as good as
  /// deleted.
  public boolean hasExpired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }

  /// Returns a text that identifies this version in any store: `<commit id>.<version>`.
  public String id() {
    return commitId + "." + version;
  }
}
