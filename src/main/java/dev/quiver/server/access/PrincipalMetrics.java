package dev.quiver.server.access;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.http.Problem;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/// Counts the rejections by limits of principals, by the limit. The principal is not a label, since
/// an issuer may have any number of them.
@Component
public final class PrincipalMetrics {

  private static final List<String> LIMITS =
      List.of("requests", "statements", "stored-bytes", "uploads");

  private final Map<String, Counter> rejections;

  PrincipalMetrics(MeterRegistry registry) {
    this.rejections =
        LIMITS.stream()
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    limit ->
                        Counter.builder("quiver.principal.rejections")
                            .tag("limit", limit)
                            .register(registry)));
  }

  /// Counts a rejection of a principal that has too many of something at a time, and returns its
  /// problem.
  public Problem reject(Limit reached) {
    count(reached);
    return PrincipalUsages.problem(reached);
  }

  /// Counts a rejection by a limit of all principals or of one.
  public void count(Limit limit) {
    String name = limit.name().substring(limit.name().lastIndexOf('.') + 1);
    Objects.requireNonNull(rejections.get(name)).increment();
  }
}
