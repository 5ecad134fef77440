package dev.quiver.server.transfer;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/// Tomcat's HTTP/1.1 protocol with access to the connection of a request: see [ClientConnection].
///
/// Tomcat creates it by its class name.
public final class DirectHttp11Protocol extends Http11NioProtocol {

  /// The size of each of the two buffers that a connection holds while it is open, even if idle.
  /// Large bodies bypass them, except chunked uploads, which are a tenth slower with Tomcat's
  /// default of 8 KiB and no faster with more than 16 KiB.
  public static final int SOCKET_BUFFER_BYTES = 16 << 10;

  private static final int SWEEP_INTERVAL_MILLIS = 250;

  private final BoundedNioEndpoint endpoint;
  private volatile int nextRequestMillis = 1;
  private @Nullable ServiceAdapter adapter;
  private @Nullable ScheduledFuture<?> sweeps;

  public DirectHttp11Protocol() {
    this(new BoundedNioEndpoint());
  }

  private DirectHttp11Protocol(BoundedNioEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  /// Replaces the adapter that Tomcat sets when it starts.
  public void serveThrough(ServiceAdapter replacement) {
    adapter = replacement;
  }

  @Override
  public void setAdapter(Adapter containers) {
    super.setAdapter(adapter == null ? containers : adapter);
  }

  /// Bounds the connections of each client, and the time that each phase of one may take.
  public void limit(ConnectionLimits limits) {
    endpoint.limit(limits);
  }

  /// Returns the watch of a connection whose request this thread handles, or null without limits.
  @SuppressWarnings("unchecked")
  @Nullable ConnectionWatch watch(SocketWrapperBase<?> wrapper) {
    return wrapper.getSocket() instanceof NioChannel socket
        ? endpoint.watch((SocketWrapperBase<NioChannel>) wrapper, socket.getIOChannel())
        : null;
  }

  /// Returns how long a thread waits for the next request of its connection after a response.
  int nextRequestMillis() {
    return nextRequestMillis;
  }

  /// Changes that time for tests with slow clients.
  void waitForNextRequest(int millis) {
    nextRequestMillis = millis;
  }

  @Override
  protected Processor createProcessor() {
    return new DirectHttp11Processor(this, getAdapter());
  }

  @Override
  public void start() throws Exception {
    super.start();
    if (getExecutor() instanceof ThreadPoolExecutor pool) {
      pool.setThreadFactory(
          RequestThread.factory(ObjectName.unquote(getName()) + "-exec-", pool.getPoolSize()));
    }
    sweeps =
        getUtilityExecutor()
            .scheduleWithFixedDelay(
                this::sweep, SWEEP_INTERVAL_MILLIS, SWEEP_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void destroy() throws Exception {
    if (sweeps != null) {
      sweeps.cancel(/* mayInterruptIfRunning= */ false);
    }
    super.destroy();
  }

  /// A failure must not end the schedule.
  private void sweep() {
    try {
      endpoint.sweep();
    } catch (RuntimeException e) {
      getLog().error("Connections could not be checked", e);
    }
  }
}
