package dev.quiver.web.filter;

import dev.quiver.config.QuiverProperties;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// Where the service listens, and what follows from it.
@Component
public final class ListenAddress {

  private static final Logger LOG = LoggerFactory.getLogger(ListenAddress.class);

  private final @Nullable InetAddress address;
  private final boolean remoteWrites;
  private final boolean guarded;

  ListenAddress(ServerProperties server, QuiverProperties properties) {
    this.address = server.getAddress();
    this.remoteWrites = properties.allowRemoteWrites();
    this.guarded = !properties.token().isEmpty();
  }

  /// Whether only this machine reaches the service.
  boolean isLoopback() {
    return address != null && address.isLoopbackAddress();
  }

  /// Whether writes are taken from those who reach the service, and have the token if there is one.
  public boolean isWritable() {
    return isLoopback() || guarded || remoteWrites;
  }

  /// Whether writes need a token.
  public boolean requiresToken() {
    return guarded;
  }

  @EventListener(ApplicationReadyEvent.class)
  void report() {
    String where = address == null ? "every address" : address.getHostAddress();
    if (!isWritable()) {
      LOG.warn(
          "Listening on {}, so read-only: quiver.token lets those write who have it, and"
              + " quiver.allow-remote-writes=true everyone who reaches it",
          where);
    } else if (!isLoopback() && !guarded) {
      LOG.warn("Listening on {}, and taking writes from everyone who reaches it", where);
    }
  }
}
