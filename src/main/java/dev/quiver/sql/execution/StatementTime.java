package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.Limit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The time that a statement may take, and the part of it that is left.
///
/// @param limit in milliseconds
/// @param granted the whole time
/// @param left at least a millisecond: the engine takes no time for none
public record StatementTime(Limit limit, Duration granted, Duration left) {

  private static final Duration LEAST = Duration.ofMillis(1);

  /// Returns all of the time that a limit grants.
  public static StatementTime of(Limit limit) {
    return of(limit, null);
  }

  /// Returns all of the time that a limit and a client grant.
  ///
  /// @param wished the time that the client grants, or null
  public static StatementTime of(Limit limit, @Nullable Duration wished) {
    Duration maximum = Duration.ofMillis(limit.maximum());
    Duration granted = wished == null || wished.compareTo(maximum) > 0 ? maximum : wished;
    return new StatementTime(limit, granted, granted);
  }

  /// Returns the failure of a statement that takes longer.
  public SqlException.Timeout exceeded() {
    return new SqlException.Timeout(
        "Expected the whole result within %d ms but found less (%s)"
            .formatted(granted.toMillis(), limit.name()),
        /* hint= */ null);
  }

  /// Begins to take from the time.
  public Running begin() {
    return new Running(this, System.nanoTime());
  }

  /// The time of work that goes on. Shared by threads.
  ///
  /// @param time that was left at its beginning
  /// @param begun as [System#nanoTime] counts
  public record Running(StatementTime time, long begun) {

    private Duration unspent() {
      return time.left.minusNanos(System.nanoTime() - begun);
    }

    /// Checks whether the work may go on.
    ///
    /// @throws SqlException.Timeout if its time is over
    public void check() {
      if (unspent().isNegative()) {
        throw time.exceeded();
      }
    }

    /// Returns the time with what is left now.
    public StatementTime rest() {
      Duration unspent = unspent();
      Duration left = unspent.compareTo(LEAST) < 0 ? LEAST : unspent;
      return new StatementTime(time.limit, time.granted, left);
    }
  }
}
