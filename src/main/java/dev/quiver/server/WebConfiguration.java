package dev.quiver.server;

import dev.quiver.arrow.memory.InFlightBytes;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.events.EventStreams;
import dev.quiver.server.events.WaitingRequests;
import dev.quiver.server.read.TextLengths;
import dev.quiver.server.transfer.ConnectionLimits;
import dev.quiver.server.transfer.ConnectionValve;
import dev.quiver.server.transfer.ContainerErrors;
import dev.quiver.server.transfer.DirectHttp11Protocol;
import dev.quiver.server.transfer.ProblemReportValve;
import dev.quiver.server.transfer.RequestIdValve;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.server.transfer.ServiceAdapter;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.Damage;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/// The configuration of Spring MVC and Tomcat, and the beans of the web layer.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(QuiverProperties.class)
class WebConfiguration implements WebMvcConfigurer {

  private static final Logger LOG = LoggerFactory.getLogger(WebConfiguration.class);

  /// The buffer of connections without direct access. A smaller one halves the throughput of large
  /// bodies. With TLS, Tomcat enlarges 16 KiB slightly, so every second record would be tiny.
  private static final int LARGE_WRITE_BUFFER_BYTES = 64 << 10;

  /// The maximum size of the chunk extensions of a body, and of its trailers.
  private static final int UNSEEN_BYTES = 1 << 10;

  /// The heap that a connection may need: its buffers, and the state of its request while it waits
  /// for a slow client.
  private static final long CONNECTION_HEAP_BYTES = 256 << 10;

  /// How long a response that renders a text may wait for its client, beyond half of its time,
  /// before another request renders the text to learn its length.
  private static final Duration TEXT_PATIENCE = Duration.ofSeconds(1);

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
    converters.disableDefaults().addCustomConverter(new ByteArrayHttpMessageConverter());
  }

  /// Leaves exceptions to the advice and to Tomcat. Spring's other resolvers would turn some
  /// exceptions after the commit into a normal end of the response.
  @Override
  public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    resolvers.removeIf(resolver -> !(resolver instanceof ExceptionHandlerExceptionResolver));
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcat(QuiverProperties properties) {
    return factory -> {
      factory.setProtocol(DirectHttp11Protocol.class.getName());
      factory.addEngineValves(new RequestIdValve(), new ConnectionValve(properties.sendfile()));
      factory.addConnectorCustomizers(connector ->
          customize(
              connector,
              properties.sendfile() && !Ssl.isEnabled(factory.getSsl())
                  ? DirectHttp11Protocol.SOCKET_BUFFER_BYTES
                  : LARGE_WRITE_BUFFER_BYTES,
              properties.limits()));
      factory.addContextCustomizers(WebConfiguration::reportProblems);
    };
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
  TextLengths textLengths(QuiverProperties properties, MeterRegistry registry) {
    RequestLimits limits = properties.limits();
    return new TextLengths(
        limits.text(),
        limits.textLength(),
        limits.textLengthCacheBytes().toBytes(),
        TEXT_PATIENCE,
        registry);
  }

  @Bean
  WaitingRequests waitingRequests(
      Datasets datasets,
      QuiverProperties properties,
      TomcatServerProperties tomcat,
      MeterRegistry registry) {
    Limit limit = properties.limits().waiting();
    if (limit.maximum() == 0) {
      int connections = connections(tomcat.getMaxConnections(), Runtime.getRuntime().maxMemory());
      limit = new Limit(limit.name(), Math.max(1, connections / 8));
    }
    return new WaitingRequests(datasets, properties, limit, registry);
  }

  @Bean
  EventStreams eventStreams(WaitingRequests waitingRequests, QuiverProperties properties) {
    return new EventStreams(waitingRequests, properties, EventStreams.QUIET);
  }

  private static void customize(Connector connector, int writeBufferBytes, RequestLimits limits) {
    DirectHttp11Protocol protocol = (DirectHttp11Protocol) connector.getProtocolHandler();
    bound(protocol, Runtime.getRuntime().maxMemory());
    protocol.limit(
        new ConnectionLimits(
            limits.headSeconds(),
            limits.idleSeconds(),
            limits.connectionsPerAddress(),
            limits.unboundedAddresses()));
    set(connector, "socket.appReadBufSize", DirectHttp11Protocol.SOCKET_BUFFER_BYTES);
    set(connector, "socket.appWriteBufSize", writeBufferBytes);
    set(connector, "connectionTimeout", TimeUnit.SECONDS.toMillis(limits.idleSeconds()));
    // No reader of a body sees these.
    set(connector, "maxExtensionSize", UNSEEN_BYTES);
    set(connector, "maxTrailerSize", UNSEEN_BYTES);
    // Lets a client learn of a failed condition before it sends its body.
    set(connector, "continueResponseTiming", "onRead");
    // OptionsFilter, which knows the allowed methods, rejects TRACE itself.
    connector.setAllowTrace(true);
    protocol.serveThrough(new ServiceAdapter(connector));
    connector.setMaxParameterCount(ContainerErrors.PARAMETERS_MAXIMUM);
    // No body is parsed as a form, even if code reads a parameter.
    connector.setParseBodyMethods("");
  }

  /// Bounds connections and their threads by the heap. Otherwise, running out of memory for one
  /// connection would end the thread that accepts all connections.
  static void bound(AbstractProtocol<?> protocol, long heapBytes) {
    int maximum = connections(protocol.getMaxConnections(), heapBytes);
    if (protocol.getMaxConnections() != maximum) {
      LOG.info("At most {} concurrent connections, one for each 256 KiB of heap", maximum);
      protocol.setMaxConnections(maximum);
    }
    protocol.setMaxThreads(Math.min(protocol.getMaxThreads(), maximum));
  }

  /// Returns the maximum number of connections.
  ///
  /// @param configured the configured maximum; negative for none
  private static int connections(int configured, long heapBytes) {
    int maximum = (int) Math.min(heapBytes / CONNECTION_HEAP_BYTES, Integer.MAX_VALUE);
    return configured < 0 ? maximum : Math.min(configured, maximum);
  }

  private static void set(Connector connector, String name, Object value) {
    if (!connector.setProperty(name, value.toString())) {
      throw new IllegalStateException("Expected a connector property of Tomcat but found " + name);
    }
  }

  private static void reportProblems(Context context) {
    StandardHost host = (StandardHost) context.getParent();
    Pipeline pipeline = host.getPipeline();
    for (Valve valve : pipeline.getValves()) {
      if (valve instanceof ErrorReportValve) {
        pipeline.removeValve(valve);
      }
    }
    host.setErrorReportValveClass(ProblemReportValve.class.getName());
  }
}
