package dev.quiver.server.admin;

import dev.quiver.store.blob.Steps;
import dev.quiver.store.blob.StoreRequests;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/// Records the requests to a bucket by method and outcome, and their bytes, also in traces.
@Component
public final class StoreMetrics implements StoreRequests {

  private final MeterRegistry registry;
  private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();
  private final Counter sent;
  private final Counter received;
  private final Counter cacheHits;
  private final Counter cacheMisses;

  StoreMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.sent = registry.counter("quiver.store.sent.bytes");
    this.received = registry.counter("quiver.store.received.bytes");
    this.cacheHits = registry.counter("quiver.store.cache.hits");
    this.cacheMisses = registry.counter("quiver.store.cache.misses");
  }

  @Override
  public void responded(String method, int status, long nanos, long sent) {
    timers
        .computeIfAbsent(new Kind(method, outcome(status)), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
    this.sent.increment(sent);
    Steps.record(
        "store " + method, nanos, Map.of("outcome", outcome(status), "sent", Long.toString(sent)));
  }

  @Override
  public void received(long byteCount) {
    received.increment(byteCount);
  }

  @Override
  public void cached(int present, int missing) {
    cacheHits.increment(present);
    cacheMisses.increment(missing);
  }

  /// A 404 or a 412 means that a blob is absent or exists already.
  private static String outcome(int status) {
    return switch (status) {
      case 0 -> "unreachable";
      case 404, 412 -> "condition";
      case 429, 503 -> "throttled";
      default -> status < 400 ? "success" : status < 500 ? "rejected" : "failed";
    };
  }

  private Timer timer(Kind kind) {
    return registry.timer("quiver.store.requests", "method", kind.method, "outcome", kind.outcome);
  }

  private record Kind(String method, String outcome) {}
}
