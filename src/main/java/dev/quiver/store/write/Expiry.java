package dev.quiver.store.write;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The end of a version, as its upload states it.
public sealed interface Expiry {

  /// Returns when a version ends, or null if it has no end.
  ///
  /// @param now when the version is committed
  /// @param before the end of the version that it extends, or null
  @Nullable Instant end(Instant now, @Nullable Instant before);

  /// The end of the version before, if this one extends it.
  record Unstated() implements Expiry {

    @Override
    public @Nullable Instant end(Instant now, @Nullable Instant before) {
      return before;
    }
  }

  /// No end.
  record Never() implements Expiry {

    @Override
    public @Nullable Instant end(Instant now, @Nullable Instant before) {
      return null;
    }
  }

  /// An end at a time.
  record At(Instant time) implements Expiry {

    @Override
    public Instant end(Instant now, @Nullable Instant before) {
      return time;
    }
  }

  /// An end some time after the commit.
  record After(Duration duration) implements Expiry {

    @Override
    public Instant end(Instant now, @Nullable Instant before) {
      return now.plus(duration);
    }
  }
}
