package dev.quiver;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/// Assertions on the work that another thread or process does later, such as a service after its
/// response.
public final class Eventually {

  /// Long enough for a busy machine. Only a failure takes this long.
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final Duration PAUSE = Duration.ofMillis(10);

  private Eventually() {}

  /// Repeats an assertion until it holds.
  ///
  /// @throws org.awaitility.core.ConditionTimeoutException if it still fails after a minute, with
  ///   the last failure
  public static void eventually(ThrowingRunnable assertion) {
    Awaitility.await()
        .atMost(DEADLINE)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(PAUSE)
        .untilAsserted(assertion);
  }
}
