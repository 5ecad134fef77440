package dev.quiver.store.log;

import dev.quiver.arrow.memory.Limit;
import java.time.Duration;

/// The options by which jobs are run and kept.
///
/// @param running the number of jobs that run at a time
/// @param queued the number of further ones that are received or wait
/// @param retention how long a job is kept after its end
/// @param lostAfter how long after its last heartbeat a job is lost
public record JobOptions(Limit running, Limit queued, Duration retention, Duration lostAfter) {

  /// The number of heartbeats that have to fail before a job is lost.
  private static final int HEARTBEATS = 10;

  Duration heartbeatInterval() {
    Duration interval = lostAfter.dividedBy(HEARTBEATS);
    return interval.toMillis() == 0 ? Duration.ofMillis(1) : interval;
  }
}
