package dev.quiver.store.catalog;

import java.time.Duration;

/// How long everything is kept: a version after its commit and after its replacement or deletion, a
/// blob after its upload began.
///
/// @param name the name in messages, which is the configuration key of the duration
public record GracePeriod(String name, Duration duration) {

  /// @throws IllegalArgumentException if the duration is not positive
  public GracePeriod {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException(
          "Expected a positive duration but found " + duration + " at " + name);
    }
  }
}
