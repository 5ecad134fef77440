package dev.quiver.store.version;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Reports that the dataset or this version of it was deleted, or has expired.
public final class DatasetGoneException extends DatasetException {

  private static final long serialVersionUID = 1;

  private final @Nullable Long oldest;
  private final @Nullable Instant expiredAt;

  public DatasetGoneException(DatasetReference reference) {
    this("Expected a dataset but found a deleted one at " + reference);
  }

  private DatasetGoneException(String message) {
    this(message, null, null);
  }

  private DatasetGoneException(String message, @Nullable Long oldest, @Nullable Instant expiredAt) {
    super(message);
    this.oldest = oldest;
    this.expiredAt = expiredAt;
  }

  /// Returns the exception for a version whose `expires` has passed.
  ///
  /// @param end when it ended
  public static DatasetGoneException ended(DatasetReference reference, Instant end) {
    return new DatasetGoneException(
        "Expected a version that has not expired but found one that did at %s at %s"
            .formatted(end, reference),
        null,
        end);
  }

  /// Returns the exception for a version that was deleted long after it was replaced.
  public static DatasetGoneException expired(DatasetReference reference) {
    return new DatasetGoneException(
        "Expected a retained version but found one that was replaced and then deleted at "
            + reference);
  }

  /// Returns the same exception, with the oldest version that still exists.
  public static DatasetGoneException expired(DatasetReference reference, long oldest) {
    return new DatasetGoneException(
        "Expected a retained version, the oldest of which is %d, but found an expired one at %s"
            .formatted(oldest, reference),
        oldest,
        null);
  }

  /// Returns when the version ended, or null if it was deleted.
  public @Nullable Instant expiredAt() {
    return expiredAt;
  }

  /// Returns the oldest existing version, or null if unknown.
  public @Nullable Long oldest() {
    return oldest;
  }
}
