package dev.quiver.dataset.version;

import org.jspecify.annotations.Nullable;

/// Reports that the dataset or this version of it was deleted, or that the version has expired.
public final class DatasetGoneException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final @Nullable Long oldest;

  public DatasetGoneException(DatasetReference reference) {
    this("Expected a dataset but found a deleted one at " + reference);
  }

  private DatasetGoneException(String message) {
    this(message, null);
  }

  private DatasetGoneException(String message, @Nullable Long oldest) {
    super(message);
    this.oldest = oldest;
  }

  /// Returns the exception for a version that was deleted long after it was replaced.
  public static DatasetGoneException expired(DatasetReference reference) {
    return new DatasetGoneException(
        "Expected a retained version but found one that was replaced and then deleted at "
            + reference);
  }

  /// Returns the exception for such a version, with the oldest one that still exists.
  public static DatasetGoneException expired(DatasetReference reference, long oldest) {
    return new DatasetGoneException(
        "Expected a retained version, the oldest of which is %d, but found an expired one at %s"
            .formatted(oldest, reference),
        oldest);
  }

  /// Returns the oldest existing version, or null if unknown.
  public @Nullable Long oldest() {
    return oldest;
  }
}
