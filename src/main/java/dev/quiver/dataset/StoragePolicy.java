package dev.quiver.dataset;

import dev.quiver.dataset.catalog.Retention;
import dev.quiver.dataset.write.CompactionPolicy;
import java.time.Duration;

/// What becomes of versions once they are stored.
///
/// @param retention how long they are kept
/// @param compaction when small appends are compacted
/// @param maxStaleness how long ago the store may have been asked for the newest version of a
///   dataset that is read without a version
public record StoragePolicy(
    Retention retention, CompactionPolicy compaction, Duration maxStaleness) {

  public static final StoragePolicy DEFAULT =
      new StoragePolicy(Retention.DEFAULT, CompactionPolicy.DEFAULT, Duration.ZERO);
}
