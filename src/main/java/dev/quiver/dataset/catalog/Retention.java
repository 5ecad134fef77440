package dev.quiver.dataset.catalog;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// How long versions are kept, and blobs that no version names.
///
/// The grace is what lets replicas remove things without talking to those that write: whoever
/// commits uses what is younger than a part of it, and whoever removes takes what is older than all
/// of it. Clocks may be apart by a quarter of it.
///
/// @param count how many of the newest commits are kept whatever their age
/// @param age how long other versions are kept after they were replaced; the grace when that is
///   longer
/// @param gracePeriod how long everything is kept: a version after it was committed and after it
///   was replaced or deleted, a blob after it was begun
public record Retention(int count, Duration age, Duration gracePeriod) {

  /// The newest version, and those that were replaced less than a day ago.
  public static final Retention DEFAULT =
      new Retention(1, Duration.ofHours(24), Duration.ofHours(24));

  /// @throws IllegalArgumentException if a component is out of its range
  public Retention {
    if (count < 1) {
      throw refused("1 or more", count, "count");
    }
    if (age.isNegative()) {
      throw refused("no negative time", age, "age");
    }
    if (!gracePeriod.isPositive()) {
      throw refused("more than no time", gracePeriod, "gracePeriod");
    }
  }

  /// Refuses to commit blobs that might be removed as ones that no version names: those that are
  /// older than half the grace.
  ///
  /// @param data the keys of blobs that no version names yet
  /// @throws IOException when one is too old
  void requireCommittable(Set<String> data, Instant now) throws IOException {
    Duration maximum = gracePeriod.dividedBy(2);
    for (String key : data) {
      Duration found = Duration.between(StoreKeys.time(key), now);
      if (found.compareTo(maximum) > 0) {
        throw new IOException(
            "Expected a blob begun at most %s ago, half of the grace period, but found one of %s at %s"
                .formatted(maximum, found, key));
      }
    }
  }

  /// Whether what was seen at `readAt` can still be told from what came after: a version that
  /// replaced the newest one then, and was replaced in turn, cannot be gone. That is so for a
  /// quarter of the grace, unless the clock was set back.
  boolean withinReadWindow(Instant readAt, Instant now) {
    Duration age = Duration.between(readAt, now);
    return !age.isNegative() && age.compareTo(gracePeriod.dividedBy(4)) <= 0;
  }

  /// Whether the grace of what is from this time is over.
  boolean pastGracePeriod(Instant time, Instant now) {
    return isPast(gracePeriod, time, now);
  }

  /// Whether a version that is not among those counted may go.
  ///
  /// @param replacedAt when the version after it was committed
  boolean expired(Instant replacedAt, Instant now) {
    return isPast(age, replacedAt, now) && pastGracePeriod(replacedAt, now);
  }

  private static boolean isPast(Duration duration, Instant time, Instant now) {
    return Duration.between(time, now).compareTo(duration) > 0;
  }

  private static IllegalArgumentException refused(String expected, Object found, String name) {
    return new IllegalArgumentException(
        "Expected " + expected + " but found " + found + " at " + name);
  }
}
