package dev.quiver;

import dev.quiver.arrow.parallel.MemoryExhaustion;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.autoconfigure.audit.AuditAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.audit.AuditEventsEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.beans.BeansEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.condition.ConditionsReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.context.ShutdownEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.InfoEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.logging.LogFileWebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.logging.LoggersEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.management.HeapDumpWebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.management.ThreadDumpEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.sbom.SbomEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.scheduling.ScheduledTasksEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.startup.StartupEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.exchanges.HttpExchangesEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.mappings.MappingsEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.info.ProjectInfoAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.DiskSpaceHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.SslHealthContributorAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsEndpointAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.task.TaskExecutorMetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ScheduledTasksObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.prometheus.PrometheusExemplarsAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.zipkin.ZipkinWithOpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.logging.OpenTelemetryLoggingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.logging.otlp.OtlpLoggingAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.OAuth2ResourceServerWebSecurityAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.MultipartAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

/// The entry point of the service: `mvn spring-boot:run`, or `java -jar`.
///
/// Unused auto-configuration is excluded, and auto-configuration of traces depends on
/// `TraceFilter`. Only two actuator endpoints exist, so none that reveals the environment or the
/// memory can be exposed by mistake. Without the exclusions, a start takes 5 % more instructions,
/// and 8 % more with an AOT cache. The component scan takes 1 % and 2 % more than a list of the
/// components (medians of five alternating starts each, of the packaged jar, compiled by C1 alone).
@SpringBootApplication(
    exclude = {
      AuditAutoConfiguration.class,
      AuditEventsEndpointAutoConfiguration.class,
      BeansEndpointAutoConfiguration.class,
      ConditionsReportEndpointAutoConfiguration.class,
      ShutdownEndpointAutoConfiguration.class,
      ConfigurationPropertiesReportEndpointAutoConfiguration.class,
      EnvironmentEndpointAutoConfiguration.class,
      InfoContributorAutoConfiguration.class,
      InfoEndpointAutoConfiguration.class,
      LogFileWebEndpointAutoConfiguration.class,
      LoggersEndpointAutoConfiguration.class,
      HeapDumpWebEndpointAutoConfiguration.class,
      ThreadDumpEndpointAutoConfiguration.class,
      SbomEndpointAutoConfiguration.class,
      ScheduledTasksEndpointAutoConfiguration.class,
      StartupEndpointAutoConfiguration.class,
      HttpExchangesEndpointAutoConfiguration.class,
      MappingsEndpointAutoConfiguration.class,
      AopAutoConfiguration.class,
      ProjectInfoAutoConfiguration.class,
      TaskExecutionAutoConfiguration.class,
      TaskSchedulingAutoConfiguration.class,
      DiskSpaceHealthContributorAutoConfiguration.class,
      SslHealthContributorAutoConfiguration.class,
      MetricsEndpointAutoConfiguration.class,
      TaskExecutorMetricsAutoConfiguration.class,
      ScheduledTasksObservationAutoConfiguration.class,
      MultipartAutoConfiguration.class,
      ErrorMvcAutoConfiguration.class,
      SecurityAutoConfiguration.class,
      UserDetailsServiceAutoConfiguration.class,
      ManagementWebSecurityAutoConfiguration.class,
      SecurityFilterAutoConfiguration.class,
      ServletWebSecurityAutoConfiguration.class,
      OAuth2ResourceServerAutoConfiguration.class,
      OAuth2ResourceServerWebSecurityAutoConfiguration.class,
      NoopTracerAutoConfiguration.class,
      PrometheusExemplarsAutoConfiguration.class,
      ZipkinWithOpenTelemetryTracingAutoConfiguration.class,
      OpenTelemetryLoggingAutoConfiguration.class,
      OtlpLoggingAutoConfiguration.class
    })
public class Quiver {

  /// The fields of a line of the access log: time, client, user, method, path, status, bytes of the
  /// body, microseconds and request id. A query may contain secrets, so it is left out.
  private static final String ACCESS_LOG_PATTERN =
      "%{yyyy-MM-dd'T'HH:mm:ss.SSSXXX}t %h %u %m %U %s %{quiver.body.bytes}r %D"
          + " %{X-Request-Id}o";

  /// A line of the log: time, level, thread, the id of the request that it is about, logger.
  private static final String LOG_PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %5p [%t] %replace([%X{requestId}] ){'\\[] ', ''}"
          + "%logger{0}: %m%n%wEx";

  /// The defaults that make the service safe, even if a custom `application.yml` replaces the one
  /// of the repository.
  static final Map<String, Object> DEFAULTS =
      Map.ofEntries(
          Map.entry("server.address", "127.0.0.1"),
          Map.entry("server.shutdown", "graceful"),
          // Spring would trust every client on some platforms. `quiver.trusted-proxies` is the
          // rule.
          Map.entry("server.forward-headers-strategy", "none"),
          Map.entry("server.tomcat.max-connections", "2048"),
          Map.entry("server.tomcat.threads.max", "2048"),
          Map.entry("server.tomcat.max-keep-alive-requests", "-1"),
          Map.entry("server.tomcat.max-swallow-size", "32MB"),
          Map.entry("spring.main.banner-mode", "off"),
          Map.entry("spring.main.log-startup-info", "false"),
          Map.entry("logging.level.org.apache", "warn"),
          Map.entry("logging.level.org.springframework", "warn"),
          Map.entry("logging.pattern.console", LOG_PATTERN),
          Map.entry("logging.pattern.file", LOG_PATTERN),
          Map.entry("server.tomcat.accesslog.pattern", ACCESS_LOG_PATTERN),
          // The client of a trusted proxy.
          Map.entry("server.tomcat.accesslog.request-attributes-enabled", "true"),
          Map.entry("logging.level.org.springframework.web.servlet.PageNotFound", "error"),
          Map.entry("spring.servlet.multipart.enabled", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.web.resources.add-mappings", "false"),
          Map.entry("management.endpoints.web.base-path", "/"),
          Map.entry("management.endpoints.web.discovery.enabled", "false"),
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"),
          Map.entry(
              "management.endpoint.health.group.readiness.include",
              "readinessState,space,store,spool,workers"),
          Map.entry(
              "management.endpoint.health.status.order", "down,out-of-service,degraded,up,unknown"),
          Map.entry("management.endpoints.web.path-mapping.prometheus", "metrics"));

  static void main(String[] arguments) {
    String answer = CommandLine.output(List.of(arguments));
    if (answer != null) {
      System.out.print(answer);
      return;
    }
    MemoryExhaustion.watchThreads();
    application().run(arguments);
  }

  /// Returns the service without starting it.
  static SpringApplication application() {
    SpringApplication application = new SpringApplication(Quiver.class);
    application.setDefaultProperties(DEFAULTS);
    // The main class is the launcher, whose name the generated definitions would have otherwise.
    application.setMainApplicationClass(Quiver.class);
    application.addListeners(new GeneratedDefinitions());
    return application;
  }
}
