package dev.quiver.server.admin;

import dev.quiver.store.blob.Steps;
import io.micrometer.tracing.CurrentTraceContext;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Makes each step of a request a child of the request's span. Steps of background work, which has
/// none, are left out.
final class TracedSteps implements Steps.Recorder {

  private final Tracer tracer;

  TracedSteps(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public void record(String name, long nanos, Map<String, String> attributes) {
    TraceContext parent = context();
    if (parent == null) {
      return;
    }
    Instant end = Instant.now();
    Span.Builder span =
        tracer
            .spanBuilder()
            .setParent(parent)
            .name(name)
            .startTimestamp(nanos(end.minusNanos(nanos)), TimeUnit.NANOSECONDS);
    attributes.forEach(span::tag);
    span.start().end(nanos(end), TimeUnit.NANOSECONDS);
  }

  /// Returns the nanoseconds since 1970.
  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  @Override
  public <T> Callable<T> carried(Callable<T> work) {
    TraceContext parent = context();
    if (parent == null) {
      return work;
    }
    return () -> {
      try (CurrentTraceContext.Scope _ = tracer.currentTraceContext().maybeScope(parent)) {
        return work.call();
      }
    };
  }

  private @Nullable TraceContext context() {
    return tracer.currentTraceContext().context();
  }
}
