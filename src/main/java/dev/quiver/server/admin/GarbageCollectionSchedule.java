package dev.quiver.server.admin;

import dev.quiver.arrow.parallel.MemoryExhaustion;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.catalog.GarbageStatistics;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.log.UploadStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Deletes expired versions, unreferenced blobs, former jobs and abandoned uploads in the
/// background. Services that share a store may do so concurrently.
@Component
public final class GarbageCollectionSchedule implements SmartLifecycle {

  private static final Logger LOG = System.getLogger(GarbageCollectionSchedule.class.getName());

  /// Keeps garbage collection from slowing down the start.
  private static final Duration LONGEST_FIRST_DELAY = Duration.ofMinutes(5);

  private final Datasets datasets;
  private final Jobs jobs;
  private final UploadStore uploads;
  private final Duration uploadsExpire;
  private final Duration period;
  private final Counter versions;
  private final Counter blobs;
  private final Counter failures;
  private final Counter expired;
  private final Timer collections;
  private final PeriodicTask task = new PeriodicTask("garbage-collection");

  GarbageCollectionSchedule(
      Datasets datasets,
      Jobs jobs,
      UploadStore uploads,
      MeterRegistry registry,
      QuiverProperties properties) {
    this.datasets = datasets;
    this.jobs = jobs;
    this.uploads = uploads;
    this.uploadsExpire = properties.uploads().expires();
    this.period = period(properties.storage().gracePeriod());
    this.versions = registry.counter("quiver.garbage.versions");
    this.blobs = registry.counter("quiver.garbage.blobs");
    this.collections = registry.timer("quiver.garbage.collections");
    this.failures = registry.counter("quiver.garbage.failures");
    this.expired = registry.counter("quiver.uploads.resumable", "end", "expired");
  }

  /// Returns the time between two collections, a quarter of the grace period. Garbage stays up to
  /// that much longer than the grace period.
  static Duration period(Duration gracePeriod) {
    return gracePeriod.dividedBy(4);
  }

  /// Returns the time before the first collection: five minutes, or a twelfth of the period if that
  /// is shorter.
  static Duration firstDelay(Duration period) {
    Duration twelfth = period.dividedBy(12);
    return twelfth.compareTo(LONGEST_FIRST_DELAY) < 0 ? twelfth : LONGEST_FIRST_DELAY;
  }

  @Override
  public void start() {
    task.start(this::collect, firstDelay(period), period);
  }

  /// Collects once, until cancellation is requested.
  void collect() {
    long start = System.nanoTime();
    try {
      GarbageStatistics deleted = datasets.collectGarbage();
      versions.increment(deleted.versions());
      blobs.increment(deleted.blobs());
      jobs.collectGarbage();
      expired.increment(uploads.sweep(Instant.now().minus(uploadsExpire)));
      collections.record(Duration.ofNanos(System.nanoTime() - start));
      if (!deleted.isEmpty()) {
        LOG.log(
            Level.INFO,
            "Deleted %d versions and %d blobs".formatted(deleted.versions(), deleted.blobs()));
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      MemoryExhaustion.endProcessIfCauseOf(e);
      // The next collection may succeed.
      failures.increment();
      FailureLog.log(LOG, Level.ERROR, "Garbage collection failed", e);
    }
  }

  @Override
  public void stop() {
    if (!task.stop()) {
      LOG.log(Level.WARNING, "Garbage collection is still running while the service stops");
    }
  }

  @Override
  public boolean isRunning() {
    return task.isRunning();
  }
}
