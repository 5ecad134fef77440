package dev.quiver.server.write;

import dev.quiver.store.log.UploadStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The number of open uploads in the store, and the bytes of their parts. They are counted when
/// metrics are requested, at most once a minute.
@Component
final class OpenUploadMetrics {

  private static final Logger LOG = System.getLogger(OpenUploadMetrics.class.getName());

  /// A count lists the parts of all uploads.
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final UploadStore store;

  // Guarded by this:
  private UploadStore.@Nullable Open open;
  private long countedNanos;
  private boolean counted;

  OpenUploadMetrics(UploadStore store, MeterRegistry registry) {
    this.store = store;
    register(registry, "quiver.uploads.resumable.open", /* unit= */ null, UploadStore.Open::count);
    register(registry, "quiver.uploads.resumable.parts", "bytes", UploadStore.Open::byteSize);
  }

  private void register(
      MeterRegistry registry,
      String name,
      @Nullable String unit,
      ToDoubleFunction<UploadStore.Open> value) {
    Gauge.builder(name, this, metrics -> metrics.value(value)).baseUnit(unit).register(registry);
  }

  /// Returns a value, which is unknown as long as the store does not respond.
  private synchronized double value(ToDoubleFunction<UploadStore.Open> value) {
    long now = System.nanoTime();
    if (!counted || now - countedNanos > PERIOD.toNanos()) {
      counted = true;
      countedNanos = now;
      try {
        open = store.open();
      } catch (IOException e) {
        open = null;
        LOG.log(Level.WARNING, "Open uploads were not counted: {0}", e.getMessage());
      }
    }
    return open == null ? Double.NaN : value.applyAsDouble(open);
  }
}
