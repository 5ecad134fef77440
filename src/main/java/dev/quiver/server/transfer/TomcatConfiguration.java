package dev.quiver.server.transfer;

import dev.quiver.server.config.AddressRange;
import dev.quiver.server.config.BasePath;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.ProblemPages;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The configuration of Tomcat: its protocol, valves and limits.
@Configuration(proxyBeanMethods = false)
public class TomcatConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(TomcatConfiguration.class);

  /// The buffer of connections without direct access. A smaller one halves the throughput of large
  /// bodies. With TLS, Tomcat enlarges 16 KiB slightly, so every second record would be tiny.
  private static final int LARGE_WRITE_BUFFER_BYTES = 64 << 10;

  /// The maximum size of the chunk extensions of a body, and that of its trailers.
  private static final int UNSEEN_BYTES = 1 << 10;

  /// The heap that a connection may need: its buffers, and the state of its request while it waits
  /// for a slow client.
  private static final long CONNECTION_HEAP_BYTES = 256 << 10;

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcat(
      QuiverProperties properties, ServerProperties server, ObjectProvider<ProblemPages> pages) {
    List<String> paths =
        BasePath.all(server.getServlet().getContextPath(), properties.publicUrls());
    return factory -> {
      // The adapter removes the path, as it does those of public URLs.
      factory.setContextPath("");
      factory.setProtocol(DirectHttp11Protocol.class.getName());
      factory.addEngineValves(
          new RequestValve(pages::getObject), new ConnectionValve(properties.sendfile()));
      factory.addConnectorCustomizers(connector ->
          customize(
              connector,
              properties.sendfile() && !Ssl.isEnabled(factory.getSsl())
                  ? DirectHttp11Protocol.SOCKET_BUFFER_BYTES
                  : LARGE_WRITE_BUFFER_BYTES,
              properties.limits(),
              properties.trustedRanges(),
              paths));
      factory.addContextCustomizers(TomcatConfiguration::reportProblems);
    };
  }

  private static void customize(
      Connector connector,
      int writeBufferBytes,
      RequestLimits limits,
      List<AddressRange> trustedProxies,
      List<String> paths) {
    DirectHttp11Protocol protocol = (DirectHttp11Protocol) connector.getProtocolHandler();
    bound(protocol, Runtime.getRuntime().maxMemory());
    protocol.limit(
        new ConnectionLimits(
            limits.headSeconds(),
            limits.idleSeconds(),
            limits.connectionsPerAddress(),
            Stream.concat(limits.unboundedAddresses().stream(), trustedProxies.stream()).toList()));
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
    protocol.serveThrough(new ServiceAdapter(connector, paths));
    connector.setMaxParameterCount(ContainerErrors.PARAMETERS_MAXIMUM);
    // People type conditions and statements as they are, although RFC 3986 has these encoded.
    set(connector, "relaxedQueryChars", "\"<>[\\]^`{|}");
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
  public static int connections(int configured) {
    return connections(configured, Runtime.getRuntime().maxMemory());
  }

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
