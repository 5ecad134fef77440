package dev.quiver.store.catalog;

import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// The time that versions are kept, and blobs that no version names.
///
/// The grace period lets replicas delete garbage without talking to writers. Commits use only blobs
/// younger than half of it, and the collector deletes only blobs older than all of it. Clocks may
/// differ by a quarter of it.
///
/// @param count the number of latest commits kept regardless of age
/// @param age how long other versions are kept after they were replaced, at least the grace period
/// @param gracePeriod how long everything is kept: a version after its commit and after its
///   replacement or deletion, a blob after its upload began
/// @param gracePeriodName the name of the grace period in messages: its configuration key
public record Retention(int count, Duration age, Duration gracePeriod, String gracePeriodName) {

  /// Keeps the latest version, and those replaced less than a day ago.
  public static final Retention DEFAULT =
      new Retention(1, Duration.ofHours(24), Duration.ofHours(24), "the grace period");

  /// @throws IllegalArgumentException if a component is out of its range
  public Retention {
    if (count < 1) {
      throw invalid("1 or more", count, "count");
    }
    if (age.isNegative()) {
      throw invalid("a duration of 0 or more", age, "age");
    }
    if (!gracePeriod.isPositive()) {
      throw invalid("a positive duration", gracePeriod, gracePeriodName);
    }
  }

  /// Rejects a commit of blobs that a collector might delete as unnamed: those older than half the
  /// grace period.
  ///
  /// @param data the keys of blobs that no version names yet
  /// @throws IOException if a blob is too old
  void requireCommittable(Set<String> data, Instant now) throws IOException {
    Duration maximum = gracePeriod.dividedBy(2);
    for (String key : data) {
      Duration found = Duration.between(StoreKeys.time(key), now);
      if (found.compareTo(maximum) > 0) {
        throw new IOException(
            "Expected a blob begun at most %s ago, half of %s, but found one begun %s ago at %s"
                .formatted(maximum, gracePeriodName, found, key));
      }
    }
  }

  /// Returns whether a commit based on a read at `readAt` would notice every later change. For a
  /// quarter of the grace period, the successor of the version that was then the latest cannot have
  /// been deleted, even if it was replaced in turn. If the clock was set back, this returns false.
  boolean withinReadWindow(Instant readAt, Instant now) {
    Duration age = Duration.between(readAt, now);
    return !age.isNegative() && age.compareTo(gracePeriod.dividedBy(4)) <= 0;
  }

  /// Returns whether the grace period that began at `time` is over.
  boolean pastGracePeriod(Instant time, Instant now) {
    return isPast(gracePeriod, time, now);
  }

  /// Returns whether a version outside the retention count may be deleted.
  ///
  /// @param replacedAt when the version after it was committed
  boolean expired(Instant replacedAt, Instant now) {
    return isPast(age, replacedAt, now) && pastGracePeriod(replacedAt, now);
  }

  private static boolean isPast(Duration duration, Instant time, Instant now) {
    return Duration.between(time, now).compareTo(duration) > 0;
  }

  private static IllegalArgumentException invalid(String expected, Object found, String name) {
    return new IllegalArgumentException(
        "Expected " + expected + " but found " + found + " at " + name);
  }
}
