package dev.quiver.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that only a test advances.
public final class TestClock implements InstantSource {

  private Instant now = Instant.parse("2026-11-20T09:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  public void advance(Duration duration) {
    now = now.plus(duration);
  }

  public void advanceHours(int hours) {
    advance(Duration.ofHours(hours));
  }
}
