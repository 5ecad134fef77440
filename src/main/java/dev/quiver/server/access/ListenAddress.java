package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/// The address that the service listens on, and the protection that follows from it.
@Component
public final class ListenAddress {

  /// The addresses of `localhost`, which may not be all loopback addresses.
  private static final Set<String> LOCALHOST = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");

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

  /// Returns the host of URLs that reach the service from this machine.
  public String host() {
    if (address == null
        || address.isAnyLocalAddress()
        || LOCALHOST.contains(address.getHostAddress())) {
      return "localhost";
    }
    return address instanceof Inet6Address
        ? "[" + address.getHostAddress() + "]"
        : address.getHostAddress();
  }

  /// Returns whether other machines can connect, and either none or all of them may write.
  public boolean needsAttention() {
    return !isWritable() || isOpen();
  }

  /// Describes the clients that may write.
  public String writers() {
    if (!isWritable()) {
      return "others can connect, so it is read-only: set quiver.token to accept writes with that"
          + " token, or quiver.allow-remote-writes=true to accept writes from every client";
    }
    if (isOpen()) {
      return "EVERY CLIENT that can connect may write";
    }
    if (!requiresToken()) {
      return "everyone on this machine may write";
    }
    if (!policy.hasCredentials()) {
      return "only what quiver.auth.anonymous permits may be written";
    }
    return policy.anonymous().permissions().writesSome()
        ? "writes of some datasets require a token"
        : "writes require a token";
  }
}
