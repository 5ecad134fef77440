package dev.quiver.dataset;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/// How long versions are kept, and blobs that no version names.
///
/// The grace is what lets replicas remove things without talking to those that write: whoever
/// commits uses what is younger than a part of it, and whoever removes takes what is older than all
/// of it. Clocks may be apart by a quarter of it.
///
/// @param count how many of the newest commits are kept whatever their age
/// @param age how long other versions are kept after they were replaced; the grace when that is
///   longer
/// @param grace how long everything is kept: a version after it was committed and after it was
///   replaced or deleted, a blob after it was begun
public record Retention(int count, Duration age, Duration grace) {

  /// The newest version, and those that were replaced less than a day ago.
  public static final Retention DEFAULT =
      new Retention(1, Duration.ofHours(24), Duration.ofHours(24));

  /// @throws IllegalArgumentException which names the key of what cannot be
  public Retention {
    if (count < 1) {
      throw refused("1 or more", count, "quiver.retention.count");
    }
    if (age.isNegative()) {
      throw refused("no negative time", age, "quiver.retention.age");
    }
    if (!grace.isPositive()) {
      throw refused("more than no time", grace, "quiver.storage.grace");
    }
  }

  /// Refuses a configuration in which an upload may take longer than its blobs may be old.
  ///
  /// @throws IllegalArgumentException when the grace is too short
  public void requireCovers(long uploadSeconds) {
    if (uploadSeconds > grace.toSeconds() / 2) {
      throw refused(
          "at most half of quiver.storage.grace, %d s,".formatted(grace.toSeconds() / 2),
          uploadSeconds + " s",
          "quiver.limits.upload-seconds");
    }
  }

  /// Refuses to commit a blob that might be removed as one that no version names: one that is older
  /// than half the grace. To be asked just before a commit, of each blob that no version names yet.
  ///
  /// @param data the key of the blob
  /// @throws IOException when the blob is too old
  void requireFresh(String data, Instant now) throws IOException {
    Duration found = Duration.between(StoreKeys.time(data), now);
    Duration maximum = grace.dividedBy(2);
    if (found.compareTo(maximum) > 0) {
      throw new IOException(
          "Expected a blob begun at most %s ago, half of quiver.storage.grace, but found one of %s at %s"
              .formatted(maximum, found, data));
    }
  }

  /// Whether a version that was the newest at `readAt` may be built on: what came after it, and was
  /// replaced in turn, is still there to be seen. After a quarter of the grace it is read again.
  boolean mayBuildOn(Instant readAt, Instant now) {
    return Duration.between(readAt, now).compareTo(grace.dividedBy(4)) <= 0;
  }

  /// Whether the grace of what is from this time is over.
  boolean isPastGrace(Instant time, Instant now) {
    return isPast(grace, time, now);
  }

  /// Whether a version that is not among those counted may go.
  ///
  /// @param replacedAt when the version after it was committed
  boolean isPastAge(Instant replacedAt, Instant now) {
    return isPast(age, replacedAt, now) && isPastGrace(replacedAt, now);
  }

  private static boolean isPast(Duration duration, Instant time, Instant now) {
    return Duration.between(time, now).compareTo(duration) > 0;
  }

  private static IllegalArgumentException refused(String expected, Object found, String key) {
    return new IllegalArgumentException(
        "Expected " + expected + " but found " + found + " at " + key);
  }
}
