package dev.quiver.server.transfer;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// The phase of one connection, and the time by which it must end.
///
/// Tomcat's timeouts restart with every byte, and Tomcat reads bytes that no reader of a body sees:
/// heads, chunk extensions, trailers, and the rest of a body after the response. A client could
/// thus hold a thread and a connection for as long as it sends a byte now and then. A deadline does
/// not restart.
///
/// The thread of a request changes the phase. [BoundedNioEndpoint] checks the deadlines.
final class ConnectionWatch {

  private static final Logger LOG = System.getLogger(ConnectionWatch.class.getName());

  /// The time in which the rest of a request body must arrive once the response is sent. A client
  /// may send all of its body before it reads the response.
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// The phase of a connection.
  enum Phase {
    /// TLS is negotiated.
    HANDSHAKE,
    /// Nothing of a request has arrived. Tomcat closes the connection after its idle time.
    IDLE,
    /// A part of the head of a request has arrived.
    HEAD,
    /// A request is handled. A [TransferRateGuard] watches its body and its response's.
    REQUEST,
    /// A request waits without a thread. It has no deadline of the connection's, and ends if the
    /// client leaves.
    WAITING,
    /// The service is done. Tomcat may still have to send the end of the response, or to read the
    /// rest of the request's body.
    END
  }

  /// @param deadlineNanos the end of a phase that has a deadline
  private record State(Phase phase, long sinceNanos, long deadlineNanos) {}

  private final SocketWrapperBase<NioChannel> socket;
  private final SocketChannel channel;
  private final ConnectionLimits limits;
  private volatile State state;
  private volatile @Nullable TransferRateGuard upload;
  private volatile @Nullable TransferRateGuard download;
  private volatile @Nullable Runnable clientLeft;
  private volatile long probeNanos;

  ConnectionWatch(
      SocketWrapperBase<NioChannel> socket,
      SocketChannel channel,
      ConnectionLimits limits,
      boolean secure) {
    this.socket = socket;
    this.channel = channel;
    this.limits = limits;
    this.state = secure ? within(Phase.HANDSHAKE, headNanos()) : within(Phase.IDLE, 0);
  }

  /// Notifies a request that waits without a thread that its client has closed its side of the
  /// connection.
  ///
  /// @param told called at most once, by another thread
  void whenClosedByClient(Runnable told) {
    clientLeft = told;
  }

  /// Returns whether the client has closed its side of the connection. Call it while no other code
  /// reads the request. Bytes that have arrived stay for the next reader.
  ///
  /// A client that only ends its sending counts as well: the two cases look the same until bytes
  /// are sent.
  ///
  /// The threads that work on one request may ask at once, and the connection has one buffer.
  synchronized boolean isClosedByClient() {
    ByteBuffer next = ByteBuffer.allocate(1);
    try {
      if (socket.read(/* block= */ false, next) > 0) {
        socket.unRead(next.flip());
      }
      return false;
    } catch (IOException closed) {
      LOG.log(Level.DEBUG, "A client closed its connection", closed);
      return true;
    }
  }

  void watchUpload(TransferRateGuard guard) {
    upload = guard;
  }

  void watchDownload(TransferRateGuard guard) {
    download = guard;
  }

  /// Notes that bytes of a head have arrived. Further ones do not extend its time.
  void enterHead() {
    if (state.phase() != Phase.HEAD) {
      state = within(Phase.HEAD, headNanos());
    }
  }

  void enterRequest() {
    clientLeft = null;
    state = within(Phase.REQUEST, 0);
  }

  void enterWaiting() {
    state = within(Phase.WAITING, 0);
  }

  /// Notes that the service has nothing more to send.
  ///
  /// @param bodyUnread whether part of the request's body is unread
  void enterEnd(boolean bodyUnread) {
    upload = null;
    download = null;
    state =
        within(
            Phase.END, bodyUnread ? DRAIN_NANOS : TimeUnit.SECONDS.toNanos(limits.idleSeconds()));
  }

  /// Notes that the next request may follow. If none was handled since [#enterHead], only empty
  /// lines have arrived, and the head must arrive in the time that they began.
  void enterIdle() {
    if (state.phase() != Phase.HEAD) {
      state = within(Phase.IDLE, 0);
    }
  }

  private static State within(Phase phase, long nanos) {
    long now = System.nanoTime();
    return new State(phase, now, now + nanos);
  }

  private long headNanos() {
    return TimeUnit.SECONDS.toNanos(limits.headSeconds());
  }

  SocketChannel channel() {
    return channel;
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  /// Returns whether no request would be lost if the connection were closed.
  boolean isDispensable() {
    return switch (state.phase()) {
      case HANDSHAKE, IDLE, HEAD -> true;
      case REQUEST, WAITING, END -> false;
    };
  }

  /// Returns whether the present phase has lasted longer.
  boolean isOlderThan(long nanos) {
    return System.nanoTime() - state.sinceNanos() > nanos;
  }

  long sinceNanos() {
    return state.sinceNanos();
  }

  /// Ends a phase that has taken too long.
  void check() {
    State current = state;
    boolean late = System.nanoTime() - current.deadlineNanos() > 0;
    switch (current.phase()) {
      case IDLE -> {
        // Tomcat's time for idle connections applies.
      }
      case HANDSHAKE, HEAD -> {
        if (late) {
          closeIfDispensable();
        }
      }
      case REQUEST -> {
        if (isViolated(upload)) {
          // The reader finds the end of the body, and can still respond.
          shutDown(/* output= */ false);
        }
        if (isViolated(download)) {
          shutDown(/* output= */ true);
        }
      }
      case WAITING -> probe();
      case END -> {
        if (late) {
          shutDown(/* output= */ true);
        }
      }
    }
  }

  private static boolean isViolated(@Nullable TransferRateGuard guard) {
    return guard != null && guard.isWaiting() && guard.violation() != null;
  }

  /// Looks whether the client of a waiting request is still there, at most once a second.
  private void probe() {
    long now = System.nanoTime();
    Lock lock = socket.getLock();
    if (clientLeft == null || now - probeNanos < PROBE_NANOS || !lock.tryLock()) {
      return;
    }
    Runnable told = null;
    try {
      probeNanos = now;
      if (state.phase() == Phase.WAITING && isClosedByClient()) {
        told = clientLeft;
        clientLeft = null;
      }
    } finally {
      lock.unlock();
    }
    if (told != null) {
      told.run();
    }
  }

  /// Closes the connection unless a thread handles it at this moment.
  ///
  /// @return whether it is closed now
  boolean closeIfDispensable() {
    Lock lock = socket.getLock();
    if (!lock.tryLock()) {
      return false;
    }
    try {
      if (isDispensable()) {
        socket.close();
      }
      return socket.isClosed();
    } finally {
      lock.unlock();
    }
  }

  /// Wakes the thread of the request with the end of its input, and with an error of its output.
  /// Closing the socket would not wake a thread that waits for it within Tomcat.
  private void shutDown(boolean output) {
    try {
      channel.shutdownInput();
      if (output) {
        channel.shutdownOutput();
      }
    } catch (IOException closed) {
      LOG.log(Level.DEBUG, "A connection was already closed", closed);
    }
  }
}
