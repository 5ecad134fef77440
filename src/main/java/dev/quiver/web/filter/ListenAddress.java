package dev.quiver.web.filter;

import dev.quiver.config.QuiverProperties;
import dev.quiver.web.access.AccessPolicy;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// The address that the service listens on, and the protection that follows from it.
@Component
public final class ListenAddress {

  private static final Logger LOG = LoggerFactory.getLogger(ListenAddress.class);

  private final @Nullable InetAddress address;
  private final boolean remoteWrites;
  private final AccessPolicy policy;

  public ListenAddress(ServerProperties server, QuiverProperties properties, AccessPolicy policy) {
    this.address = server.getAddress();
    this.remoteWrites = properties.allowRemoteWrites();
    this.policy = policy;
  }

  /// Returns whether only this machine can connect.
  boolean isLoopback() {
    return address != null && address.isLoopbackAddress();
  }

  /// Returns whether the service accepts writes, given the credentials if they are required.
  public boolean isWritable() {
    return isLoopback() || policy.hasCredentials() || remoteWrites;
  }

  /// Returns whether some writes require credentials.
  public boolean requiresToken() {
    return policy.requiresCredentialsToWrite();
  }

  /// Returns whether other machines may write without credentials.
  boolean isOpen() {
    return !isLoopback() && isWritable() && policy.anonymous().permissions().writesSome();
  }

  @EventListener(ApplicationReadyEvent.class)
  void report() {
    String where = address == null ? "every address" : address.getHostAddress();
    if (!isWritable()) {
      LOG.warn(
          "Listening on {}, so read-only: set quiver.token to accept writes with that token, or"
              + " quiver.allow-remote-writes=true to accept writes from every client",
          where);
    } else if (isOpen()) {
      LOG.warn("Listening on {} and accepting writes from every client", where);
    }
  }
}
