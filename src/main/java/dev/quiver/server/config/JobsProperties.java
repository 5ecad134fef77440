package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.store.log.JobOptions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/// The settings of uploads with `Prefer: respond-async`.
///
/// @param running the number of them that run at a time
/// @param queued the number of further ones that are received or wait
/// @param retention how long a job is kept after its end
/// @param lostAfter how long after its last heartbeat a job is lost
public record JobsProperties(
    @DefaultValue("2") int running,
    @DefaultValue("16") int queued,
    @DefaultValue("24h") @DurationUnit(ChronoUnit.SECONDS) Duration retention,
    @DefaultValue("30s") @DurationUnit(ChronoUnit.SECONDS) Duration lostAfter) {

  public JobsProperties {
    require(running > 0, "1 or more", running, "quiver.jobs.running");
    require(queued >= 0, "0 or more", queued, "quiver.jobs.queued");
    require(!retention.isNegative(), "a duration of 0 or more", retention, "quiver.jobs.retention");
    require(lostAfter.toMillis() >= 1, "1ms or more", lostAfter, "quiver.jobs.lost-after");
  }

  /// Returns how jobs are run and kept.
  public JobOptions options() {
    return new JobOptions(
        new Limit("quiver.jobs.running", running),
        new Limit("quiver.jobs.queued", queued),
        retention,
        lostAfter);
  }
}
