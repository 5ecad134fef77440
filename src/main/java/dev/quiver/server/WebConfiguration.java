package dev.quiver.server;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.events.EventStreams;
import dev.quiver.server.events.WaitingRequests;
import dev.quiver.server.read.TextFiles;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.server.transfer.TomcatConfiguration;
import dev.quiver.server.transfer.WorkbookFiles;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.version.Damage;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import tools.jackson.core.JsonGenerator;

/// The configuration of Spring MVC, and the beans of the tier.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(QuiverProperties.class)
class WebConfiguration implements WebMvcConfigurer {

  private static final Logger LOG = LoggerFactory.getLogger(WebConfiguration.class);

  /// The heap that a generated response may need beyond what counts as bytes in flight.
  private static final long RESPONSE_HEAP_BYTES = 4 << 20;

  /// Counts damaged bytes.
  @Bean
  MeterBinder damage() {
    return registry ->
        FunctionCounter.builder("quiver.damaged.reads", Damage.PROCESS, Damage::count)
            .register(registry);
  }

  /// Restricts the converters to bytes, strings and JSON, which the actuator endpoints send. Those
  /// for XML and YAML would slow the start.
  @Override
  public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
    converters
        .disableDefaults()
        .withJsonConverter(new LineConverter())
        .addCustomConverter(new ByteArrayHttpMessageConverter());
  }

  /// Writes JSON as a line, as all other documents are, so that a terminal's prompt begins another.
  private static final class LineConverter extends JacksonJsonHttpMessageConverter {

    @Override
    protected void writeSuffix(JsonGenerator generator, Object document) {
      generator.writeRaw('\n');
    }
  }

  /// Leaves exceptions to the advice and to Tomcat. Spring's other resolvers would turn some
  /// exceptions after the commit into a normal end of the response.
  @Override
  public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    resolvers.removeIf(resolver -> !(resolver instanceof ExceptionHandlerExceptionResolver));
  }

  @Bean
  ResponseAdmission responseAdmission(QuiverProperties properties, InFlightBytes inFlight) {
    RequestLimits limits = properties.limits();
    Limit generated = limits.generated();
    long most = Math.max(1, Runtime.getRuntime().maxMemory() / RESPONSE_HEAP_BYTES);
    if (generated.maximum() > most) {
      LOG.info("At most {} generated responses, one for each 4 MiB of heap", most);
      generated = new Limit(generated.name(), most);
    }
    // After the idle timeout, clients that accept nothing have released their permits.
    return new ResponseAdmission(generated, Duration.ofSeconds(limits.idleSeconds()), inFlight);
  }

  @Bean
  TextFiles textFiles(
      QuiverProperties properties,
      Spool spool,
      ResponseAdmission admission,
      MeterRegistry registry) {
    RequestLimits limits = properties.limits();
    TextFiles files = new TextFiles(limits.text(), limits.textLength(), spool, admission);
    FunctionCounter.builder("quiver.text.written", files, TextFiles::writtenCount)
        .register(registry);
    return files;
  }

  @Bean
  WorkbookFiles workbookFiles(
      QuiverProperties properties,
      Spool spool,
      ResponseAdmission admission,
      MeterRegistry registry) {
    WorkbookFiles files = new WorkbookFiles(properties.limits().text(), spool, admission);
    FunctionCounter.builder("quiver.excel.written", files, WorkbookFiles::writtenCount)
        .register(registry);
    return files;
  }

  @Bean
  WaitingRequests waitingRequests(
      Datasets datasets,
      QuiverProperties properties,
      TomcatServerProperties tomcat,
      MeterRegistry registry) {
    Limit limit = properties.limits().waiting();
    if (limit.maximum() == 0) {
      int connections = TomcatConfiguration.connections(tomcat.getMaxConnections());
      limit = new Limit(limit.name(), Math.max(1, connections / 8));
    }
    return new WaitingRequests(datasets, properties, limit, registry);
  }

  @Bean
  EventStreams eventStreams(WaitingRequests waitingRequests, QuiverProperties properties) {
    return new EventStreams(waitingRequests, properties, EventStreams.QUIET);
  }
}
