package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.RequestOrigin;
import jakarta.servlet.http.HttpServletRequest;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/// The address that the service listens on, and the protection that follows from it.
@Component
public final class ListenAddress {

  /// The addresses of `localhost`, which may not be all loopback addresses.
  private static final Set<String> LOCALHOST = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");

  private static final String REQUIRED =
      "quiver.auth.tokens, quiver.token or quiver.allow-remote-writes";

  /// The headers of proxies, besides those that begin with `x-forwarded-`.
  private static final Set<String> OF_PROXIES = Set.of("forwarded", "via", "x-real-ip");

  private final @Nullable InetAddress address;
  private final boolean remoteWrites;
  private final boolean isForwarded;
  private final AccessPolicy policy;

  public ListenAddress(ServerProperties server, QuiverProperties properties, AccessPolicy policy) {
    this.address = server.getAddress();
    this.remoteWrites = properties.allowRemoteWrites();
    this.isForwarded =
        !properties.trustedProxies().isEmpty()
            || properties.allowedHosts().stream().anyMatch(ListenAddress::isForeign);
    this.policy = policy;
  }

  /// Returns whether only this machine can connect.
  boolean isLoopback() {
    return address != null && address.isLoopbackAddress();
  }

  /// Returns whether a name is one by which other machines find a service.
  private static boolean isForeign(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return !name.equals("localhost") && !name.endsWith(".localhost");
  }

  /// Returns whether all clients are on this machine, as far as the configuration tells. A proxy on
  /// this machine also connects from loopback, for clients that are not.
  private boolean isLocal() {
    return isLoopback() && !isForwarded;
  }

  /// Returns whether the service accepts the writes of a client, given the credentials if they are
  /// required. A page in a frame gets no writes.
  ///
  /// @param request any request of the client
  public boolean isWritableFor(HttpServletRequest request) {
    return writeRefusal(request) == null;
  }

  /// Returns whether the service accepts writes of some clients, given the credentials if they are
  /// required.
  private boolean isWritable() {
    return isLocal() || acceptsRemoteWrites();
  }

  private boolean acceptsRemoteWrites() {
    return policy.hasCredentials() || remoteWrites;
  }

  /// Returns the reason why a request may not write, or null if it may.
  @Nullable String writeRefusal(HttpServletRequest request) {
    if (RequestOrigin.isFrame(request)) {
      return "a page in a frame only reads";
    }
    if (acceptsRemoteWrites()) {
      return null;
    }
    if (!isLoopback()) {
      return "on this listen address, writes require " + REQUIRED;
    }
    if (isForwarded) {
      return "with quiver.trusted-proxies or a name in quiver.allowed-hosts, writes require "
          + REQUIRED;
    }
    String header = forwardingHeader(request);
    return header == null
        ? null
        : "a request with the header %s comes from a proxy, and its writes require %s"
            .formatted(header, REQUIRED);
  }

  /// Returns the header by which a proxy tells of itself, or null if the request has none.
  private static @Nullable String forwardingHeader(HttpServletRequest request) {
    for (String name : Collections.list(request.getHeaderNames())) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (OF_PROXIES.contains(lower) || lower.startsWith("x-forwarded-")) {
        return name;
      }
    }
    return null;
  }

  /// Returns whether a request is of the only user, as far as the configuration tells: of this
  /// machine, and without credentials in the configuration.
  boolean isOfOnlyUser(HttpServletRequest request) {
    return isLocal() && !policy.hasCredentials() && forwardingHeader(request) == null;
  }

  /// Returns whether some writes require credentials.
  public boolean requiresToken() {
    return policy.requiresCredentialsToWrite();
  }

  /// Returns whether other machines may write without credentials.
  boolean isOpen() {
    return !isLocal() && isWritable() && policy.anonymous().permissions().writesSome();
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
      return (isLoopback() ? "others connect through a proxy" : "others can connect")
          + ", so it is read-only: set quiver.token to accept writes with that"
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
