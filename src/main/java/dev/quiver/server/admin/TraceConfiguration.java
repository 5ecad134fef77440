package dev.quiver.server.admin;

import dev.quiver.store.blob.Steps;
import io.micrometer.tracing.Tracer;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Traces of requests, which are sent to an OpenTelemetry collector if its address is configured.
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(TraceConfiguration.ENDPOINT)
public class TraceConfiguration {

  public static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";

  /// The recording of steps, which ends with the service.
  interface Recording extends DisposableBean {}

  @Bean
  Recording stepRecording(Tracer tracer) {
    Steps.recordTo(new TracedSteps(tracer));
    return () -> Steps.recordTo(null);
  }
}
