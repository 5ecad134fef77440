package dev.quiver.server.write;

import dev.quiver.arrow.validate.Finding;
import dev.quiver.formats.FileReport;
import dev.quiver.store.version.ColumnConversion;
import dev.quiver.store.version.WriteResult;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.stereotype.Component;

/// Counts what clients send: the findings of validation, what was found in files rather than
/// stated, columns that were converted, and data that was rejected.
@Component
public final class UploadMetrics {

  private final MeterRegistry registry;

  UploadMetrics(MeterRegistry registry) {
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

  /// Counts the findings and conversions of a write.
  ///
  /// @param report what there is to tell of the data
  void count(WriteResult result, FileReport report) {
    count(result.findings());
    report
        .skipped()
        .kinds()
        .forEach(
            (kind, count) -> registry.counter("quiver.skipped", "kind", kind).increment(count));
    report.found().keySet().forEach(kind -> count("quiver.found", kind));
    for (ColumnConversion conversion : result.conversions()) {
      count("quiver.converted", kind(conversion.to()));
    }
  }

  /// Counts data that was rejected.
  ///
  /// @param kind the last part of the type of the problem
  public void countRefused(String kind) {
    count("quiver.refused", kind);
  }

  /// Returns the name of a type without its parameters, such as `timestamp`.
  private static String kind(String type) {
    int end = 0;
    while (end < type.length() && "[(<".indexOf(type.charAt(end)) < 0) {
      end++;
    }
    return type.substring(0, end);
  }

  private void count(String name, String kind) {
    registry.counter(name, "kind", kind).increment();
  }
}
