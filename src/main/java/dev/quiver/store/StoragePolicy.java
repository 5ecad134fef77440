package dev.quiver.store;

import dev.quiver.store.catalog.Retention;
import dev.quiver.store.write.CompactionPolicy;
import java.time.Duration;

/// The policy for stored versions.
///
/// @param retention how long versions are kept
/// @param compaction when small appends are compacted
/// @param maxStaleness how stale the latest version may be for reads without a version
public record StoragePolicy(
    Retention retention, CompactionPolicy compaction, Duration maxStaleness) {

  public static final StoragePolicy DEFAULT =
      new StoragePolicy(Retention.DEFAULT, CompactionPolicy.DEFAULT, Duration.ZERO);
}
