package dev.quiver.web.connector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/// Waiting for a connection to take or to send more, each thread for its own: Tomcat's one poller
/// has nothing to do with it.
final class Readiness {

  /// As many as ever waited at once, which the threads of the service bound.
  private static final Deque<Selector> IDLE = new ConcurrentLinkedDeque<>();

  private Readiness() {}

  /// @param operation of [SelectionKey]
  /// @param millis 0: no end
  /// @return false when it took longer
  static boolean await(SocketChannel channel, int operation, long millis) throws IOException {
    Selector idle = IDLE.pollFirst();
    Selector selector = idle == null ? Selector.open() : idle;
    boolean reusable = false;
    try {
      SelectionKey key = channel.register(selector, operation);
      boolean ready = selector.select(millis) > 0;
      selector.selectedKeys().clear();
      key.cancel();
      // As long as it is registered a channel that is closed keeps its socket.
      selector.selectNow();
      reusable = true;
      return ready;
    } finally {
      if (reusable) {
        IDLE.addFirst(selector);
      } else {
        selector.close();
      }
    }
  }
}
