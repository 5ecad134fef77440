package dev.quiver.store.log;

import dev.quiver.arrow.memory.OverloadedException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/// The places for jobs of this service. Shared by threads.
final class JobPlaces {

  private final JobOptions options;
  private final Semaphore free;

  JobPlaces(JobOptions options) {
    this.options = options;
    this.free = new Semaphore(count(options));
  }

  private static int count(JobOptions options) {
    return Math.toIntExact(options.running().maximum() + options.queued().maximum());
  }

  /// @throws OverloadedException if no place is free
  JobPlace take() {
    if (!free.tryAcquire()) {
      throw new OverloadedException(
          "Expected at most %d jobs at a time but found more (%s, %s)"
              .formatted(count(options), options.running().name(), options.queued().name()));
    }
    AtomicBoolean taken = new AtomicBoolean(true);
    return () -> {
      if (taken.getAndSet(false)) {
        free.release();
      }
    };
  }
}
