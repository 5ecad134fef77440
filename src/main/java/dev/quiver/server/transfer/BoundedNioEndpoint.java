package dev.quiver.server.transfer;

import dev.quiver.server.http.ClientNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tomcat's connections, with a bound for each client address, and deadlines.
///
/// A connection beyond the bound of its address closes the one of that address that was longest
/// without a request. If all of them have a request, the new connection is closed. A connection
/// beyond the maximum of all closes the one that was longest without a request, whatever its
/// address. If all have a request, the new one waits until one is closed.
final class BoundedNioEndpoint extends NioEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedNioEndpoint.class);
  private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int NO_MAXIMUM = -1;

  /// The age below which a connection is not closed for the sake of others.
  private static final long NEW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Map<SocketWrapperBase<?>, ConnectionWatch> watches = new ConcurrentHashMap<>();
  private volatile @Nullable ConnectionLimits limits;
  private long lastLogNanos = System.nanoTime() - LOG_INTERVAL_NANOS;

  void limit(ConnectionLimits connectionLimits) {
    limits = connectionLimits;
  }

  /// Returns the watch of an open connection, or null without limits.
  @Nullable ConnectionWatch watch(SocketWrapperBase<NioChannel> socket, SocketChannel channel) {
    ConnectionLimits current = limits;
    return current == null
        ? null
        : watches.computeIfAbsent(
            socket, _ -> new ConnectionWatch(socket, channel, current, isSSLEnabled()));
  }

  /// Closes the connections that have taken too long, and makes room for a new one.
  void sweep() {
    watches.values().removeIf(ConnectionWatch::isClosed);
    watches.values().forEach(ConnectionWatch::check);
    makeRoom();
  }

  @Override
  protected void countUpOrAwaitConnection() throws InterruptedException {
    makeRoom();
    super.countUpOrAwaitConnection();
  }

  private void makeRoom() {
    int maximum = getMaxConnections();
    if (maximum != NO_MAXIMUM && getConnectionCount() >= maximum && limits != null) {
      // A connection that was just accepted has not had the time to send its request.
      closeOldest(watch -> watch.isOlderThan(NEW_NANOS));
    }
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    if (!isWithinBound(socket)) {
      destroySocket(socket);
      return false;
    }
    boolean accepted = super.setSocketOptions(socket);
    SocketWrapperBase<NioChannel> wrapper = connections.get(socket);
    if (wrapper != null) {
      watch(wrapper, socket);
    }
    return accepted;
  }

  private boolean isWithinBound(SocketChannel socket) {
    ConnectionLimits current = limits;
    InetAddress address = address(socket);
    if (current == null || address == null) {
      return true;
    }
    int maximum = current.maximum(address, getMaxConnections());
    // Counting is not needed while all connections together are fewer.
    if (getMaxConnections() == NO_MAXIMUM || connections.size() < maximum) {
      return true;
    }
    ClientNetwork client = ClientNetwork.of(address);
    Predicate<SocketChannel> same = channel -> isOf(client, channel);
    if (connections.keySet().stream().filter(same).count() < maximum) {
      return true;
    }
    warn(address, maximum);
    return closeOldest(watch -> same.test(watch.channel()));
  }

  /// A connection with the time since its phase began.
  private record Aged(ConnectionWatch watch, long nanos) {}

  /// Closes the connection that was longest without a request.
  ///
  /// @return whether one was closed
  private boolean closeOldest(Predicate<ConnectionWatch> candidate) {
    long now = System.nanoTime();
    return watches.values().stream()
        .filter(watch -> watch.isDispensable() && !watch.isClosed())
        .filter(candidate)
        // Phases change meanwhile, and a comparison must not.
        .map(watch -> new Aged(watch, now - watch.sinceNanos()))
        .sorted(Comparator.comparingLong(Aged::nanos).reversed())
        .anyMatch(aged -> aged.watch().closeIfDispensable());
  }

  /// Only the thread that accepts connections calls this.
  private void warn(InetAddress address, int maximum) {
    long now = System.nanoTime();
    if (now - lastLogNanos >= LOG_INTERVAL_NANOS) {
      lastLogNanos = now;
      LOG.warn(
          "{} has {} connections (quiver.limits.connections-per-address); a further one closes one of them",
          address.getHostAddress(),
          maximum);
    }
  }

  private static boolean isOf(ClientNetwork client, SocketChannel channel) {
    InetAddress address = address(channel);
    return address != null && ClientNetwork.of(address).equals(client);
  }

  /// Returns the address of the client, or null if the connection is closed.
  private static @Nullable InetAddress address(SocketChannel channel) {
    try {
      return channel.getRemoteAddress() instanceof InetSocketAddress remote
          ? remote.getAddress()
          : null;
    } catch (IOException closed) {
      return null;
    }
  }
}
