package dev.quiver.web.connector;

import javax.management.ObjectName;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/// HTTP/1.1 by Tomcat, where a request knows its connection: see [ClientConnection].
///
/// Made by Tomcat from the name of the class.
public final class DirectHttp11Protocol extends Http11NioProtocol {

  /// The size of each of a connection's two buffers, held for as long as it is open, idle or not.
  /// Large bodies bypass them, except chunked uploads: those are a tenth slower with Tomcat's own 8
  /// KiB, and no faster with more.
  public static final int SOCKET_BUFFER_BYTES = 16 << 10;

  private volatile int nextRequestMillis = 1;

  /// How long a thread that has answered waits for the next request of its connection.
  int nextRequestMillis() {
    return nextRequestMillis;
  }

  /// For tests, whose clients may be slow to go on.
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
