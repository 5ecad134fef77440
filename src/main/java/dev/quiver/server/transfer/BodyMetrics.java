package dev.quiver.server.transfer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerMapping;

/// Records the number of response bodies, the time from their first byte to the last, and their
/// bytes as sent, which the access log takes from the request. Tomcat's own metrics and its log
/// miss bytes that bypass it.
@Component
public final class BodyMetrics {

  /// `server.tomcat.accesslog.pattern` names it.
  private static final String BODY_BYTES = "quiver.body.bytes";

  private final MeterRegistry registry;
  private final Map<Kind, Meters> meters = new ConcurrentHashMap<>();

  BodyMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /// Counts a body.
  ///
  /// @param complete whether all of it was sent
  void count(HttpServletRequest request, boolean complete, Duration duration, long byteCount) {
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    Kind kind = new Kind(String.valueOf(pattern), complete ? "complete" : "aborted");
    Meters counted = meters.computeIfAbsent(kind, this::meters);
    counted.timer.record(duration);
    counted.bytes.increment(byteCount);
    request.setAttribute(BODY_BYTES, byteCount);
  }

  /// Gives the access log the bytes of a body that Tomcat sent, unless it has those of another.
  static void logRest(HttpServletRequest request, long byteCount) {
    if (request.getAttribute(BODY_BYTES) == null) {
      request.setAttribute(BODY_BYTES, byteCount);
    }
  }

  private Meters meters(Kind kind) {
    String[] tags = {"uri", kind.uri, "outcome", kind.outcome};
    return new Meters(
        registry.timer("quiver.response.body", tags),
        registry.counter("quiver.response.body.bytes", tags));
  }

  private record Kind(String uri, String outcome) {}

  private record Meters(Timer timer, Counter bytes) {}
}
