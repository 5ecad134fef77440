package dev.quiver.server.write;

import dev.quiver.arrow.validate.Finding;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.stereotype.Component;

/// Counts the validation findings of uploads, rejected or accepted with a warning.
@Component
public final class FindingMetrics {

  private final MeterRegistry registry;

  FindingMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  public void count(List<Finding> findings) {
    for (Finding finding : findings) {
      registry
          .counter(
              "quiver.validation.findings",
              "rule",
              finding.rule().name(),
              "level",
              finding.rule().level().name())
          .increment();
    }
  }
}
