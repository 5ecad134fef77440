package dev.quiver.server.admin;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/// Leaves out the auto-configuration of traces if no collector is configured, so that none of the
/// classes of OpenTelemetry is loaded.
public final class TraceFilter implements AutoConfigurationImportFilter, EnvironmentAware {

  private @Nullable Environment environment;

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public boolean[] match(
      @Nullable String[] autoConfigurationClasses, AutoConfigurationMetadata metadata) {
    boolean hasCollector =
        Objects.requireNonNull(environment).containsProperty(TraceConfiguration.ENDPOINT);
    boolean[] matches = new boolean[autoConfigurationClasses.length];
    for (int i = 0; i < matches.length; i++) {
      matches[i] = hasCollector || !isOfTraces(autoConfigurationClasses[i]);
    }
    return matches;
  }

  private static boolean isOfTraces(@Nullable String name) {
    return name != null
        && (name.startsWith("org.springframework.boot.micrometer.tracing.")
            || name.startsWith("org.springframework.boot.opentelemetry."));
  }
}
