package dev.quiver.web.connector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/// Waiting for a connection to take more, each thread for its own: Tomcat's one poller has nothing
/// to do with it.
final class Writability {

  /// As many as ever waited at once, which the threads of the service bound.
  private static final Deque<Selector> IDLE = new ConcurrentLinkedDeque<>();

  private Writability() {}

  /// @return false when it took longer than `millis`
  static boolean await(SocketChannel channel, long millis) throws IOException {
    Selector idle = IDLE.pollFirst();
    Selector selector = idle == null ? Selector.open() : idle;
    boolean reusable = false;
    try {
      SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
      boolean writable = selector.select(millis) > 0;
      selector.selectedKeys().clear();
      key.cancel();
      // As long as it is registered a channel that is closed keeps its socket.
      selector.selectNow();
      reusable = true;
      return writable;
    } finally {
      if (reusable) {
        IDLE.addFirst(selector);
      } else {
        selector.close();
      }
    }
  }
}
