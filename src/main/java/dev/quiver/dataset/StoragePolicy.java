package dev.quiver.dataset;

import java.time.Duration;

/// What becomes of versions once they are stored.
///
/// @param retention how long they are kept
/// @param merge when small appends are merged
/// @param freshness how long ago the store may have been asked for the newest version of a dataset
///   that is read without a version
public record StoragePolicy(Retention retention, MergePolicy merge, Duration freshness) {

  public static final StoragePolicy DEFAULT =
      new StoragePolicy(Retention.DEFAULT, MergePolicy.DEFAULT, Duration.ZERO);
}
