package dev.quiver.web.connector;

import javax.management.ObjectName;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/// Tomcat's HTTP/1.1 protocol with access to the connection of a request: see [ClientConnection].
///
/// Tomcat creates it by its class name.
public final class DirectHttp11Protocol extends Http11NioProtocol {

  /// The size of each of the two buffers that a connection holds while it is open, even if idle.
  /// Large bodies bypass them, except chunked uploads, which are a tenth slower with Tomcat's
  /// default of 8 KiB and no faster with more than 16 KiB.
  public static final int SOCKET_BUFFER_BYTES = 16 << 10;

  private volatile int nextRequestMillis = 1;

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
  }
}
