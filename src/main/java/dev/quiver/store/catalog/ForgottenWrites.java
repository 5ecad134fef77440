package dev.quiver.store.catalog;

import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.RememberedKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Writes with idempotency keys that may not be recognized anymore: their dataset ended since, or
/// has had many versions.
public final class ForgottenWrites {

  /// The clocks of services, and the time of a commit, are not exact.
  private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(1);

  private final Catalog catalog;
  private final InstantSource clock;
  private final long remembered;

  public ForgottenWrites(Catalog catalog, InstantSource clock) {
    this(catalog, clock, RememberedKeys.COUNT_MAXIMUM);
  }

  /// @param remembered the number of versions of which each is remembered
  ForgottenWrites(Catalog catalog, InstantSource clock, long remembered) {
    this.catalog = catalog;
    this.clock = clock;
    this.remembered = remembered;
  }

  /// Returns whether there may be one since a time.
  public boolean mayExist(DatasetName name, Instant since) throws IOException {
    Instant begin = since.minus(CLOCK_DIFFERENCE);
    VersionSummary newest = catalog.newest(name);
    if (newest == null || newest.committedAt().isBefore(begin)) {
      return false;
    }
    if (newest.kind() == VersionKind.DELETE || newest.hasExpired(clock.instant())) {
      return true;
    }
    long first = newest.firstVersion();
    long last = newest.version() - remembered;
    return first > 1 && mayBeSince(name, first, begin)
        || last >= first && mayBeSince(name, last, begin);
  }

  private boolean mayBeSince(DatasetName name, long version, Instant begin) throws IOException {
    try (Catalog.OpenManifest manifest = catalog.openIfPresent(name, version)) {
      return manifest == null || !manifest.summary().committedAt().isBefore(begin);
    }
  }
}
