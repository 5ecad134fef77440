package dev.quiver.server.admin;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.MemoryExhaustion;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.Datasets;
import dev.quiver.store.ScrubResult;
import dev.quiver.store.blob.FailureLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Checks the whole store in the background, at a bounded rate. Each service that shares a store
/// does so by itself.
@Component
public final class ScrubSchedule implements SmartLifecycle {

  private static final Logger LOG = System.getLogger(ScrubSchedule.class.getName());

  /// Keeps the first pass from slowing down the start.
  private static final Duration LONGEST_FIRST_DELAY = Duration.ofMinutes(10);

  private final Datasets datasets;
  private final Duration period;
  private final long bytesPerSecond;
  private final Counter bytes;
  private final Counter failures;
  private final PeriodicTask task = new PeriodicTask("scrub");

  /// The damages of the last complete pass, and when it ended in milliseconds since 1970; 0 before.
  private volatile long damages;

  private volatile long endedAt;

  ScrubSchedule(Datasets datasets, MeterRegistry registry, QuiverProperties properties) {
    this.datasets = datasets;
    this.period = properties.scrub().period();
    this.bytesPerSecond = properties.scrub().bytesPerSecond().toBytes();
    this.bytes = registry.counter("quiver.scrub.bytes");
    this.failures = registry.counter("quiver.scrub.failures");
    Gauge.builder("quiver.scrub.damages", this, scrub -> scrub.damages).register(registry);
    Gauge.builder("quiver.scrub.last.pass", this, scrub -> scrub.endedAt / 1000.0)
        .baseUnit("seconds")
        .register(registry);
  }

  @Override
  public void start() {
    if (period.isPositive()) {
      Duration firstDelay =
          period.compareTo(LONGEST_FIRST_DELAY) < 0 ? period : LONGEST_FIRST_DELAY;
      task.start(this::run, firstDelay, period);
    }
  }

  /// Checks the store once, unless the [Cancellation] is requested.
  void run() {
    Cancellation cancellation = Cancellation.current();
    try {
      ScrubRate rate = new ScrubRate(bytesPerSecond);
      ScrubResult result =
          datasets
              .checks()
              .scrub(byteSize -> {
                rate.await(byteSize);
                bytes.increment(byteSize);
              });
      if (!cancellation.isRequested()) {
        damages = result.damages();
        endedAt = System.currentTimeMillis();
        LOG.log(
            result.damages() == 0 ? Level.INFO : Level.ERROR,
            "Checked %d blobs, %d bytes, and found %d damages"
                .formatted(result.blobs(), result.bytes(), result.damages()));
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      MemoryExhaustion.endProcessIfCauseOf(e);
      if (!cancellation.isRequested()) {
        // The next pass may succeed.
        failures.increment();
        FailureLog.log(LOG, Level.ERROR, "The check of the store failed", e);
      }
    }
  }

  @Override
  public void stop() {
    if (!task.stop()) {
      LOG.log(Level.WARNING, "The store is still checked while the service stops");
    }
  }

  @Override
  public boolean isRunning() {
    return task.isRunning();
  }
}
