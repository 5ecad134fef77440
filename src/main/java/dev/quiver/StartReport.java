package dev.quiver;

import dev.quiver.server.access.ListenAddress;
import dev.quiver.server.config.QuiverProperties;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// The line that a start logs: version, URL, the place of the data, and the clients that may write.
/// The line is a warning if other machines can connect, and either no client or every client may
/// write.
@Component
final class StartReport {

  private static final Logger LOG = LoggerFactory.getLogger(Quiver.class);

  private final ServerProperties server;
  private final QuiverProperties properties;
  private final ListenAddress address;

  StartReport(ServerProperties server, QuiverProperties properties, ListenAddress address) {
    this.server = server;
    this.properties = properties;
    this.address = address;
  }

  @EventListener(ApplicationReadyEvent.class)
  void log(ApplicationReadyEvent event) {
    int port = 0;
    if (event.getApplicationContext() instanceof WebServerApplicationContext context) {
      port = Objects.requireNonNull(context.getWebServer()).getPort();
    }
    LOG.atLevel(address.needsAttention() ? Level.WARN : Level.INFO)
        .log(
            "Quiver {} serves {} from {}; {}",
            CommandLine.version(),
            url(port),
            place(),
            address.writers());
  }

  private String url(int port) {
    boolean secure = server.getSsl() != null && server.getSsl().isEnabled();
    String path = server.getServlet().getContextPath();
    return "%s://%s:%d%s/"
        .formatted(secure ? "https" : "http", address.host(), port, path == null ? "" : path);
  }

  private String place() {
    QuiverProperties.Storage storage = properties.storage();
    return storage.s3().bucket().isEmpty()
        ? storage.path().toAbsolutePath().normalize().toString()
        : "bucket " + storage.s3().bucket() + "/" + storage.s3().prefix();
  }
}
