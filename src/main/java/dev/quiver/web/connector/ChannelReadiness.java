package dev.quiver.web.connector;

import dev.quiver.memory.Pool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// Waiting for a connection to take or to send more, by the thread that has it: Tomcat's one poller
/// has nothing to do with it.
///
/// As long as it is not closed, a channel that is closed keeps its socket.
final class ChannelReadiness implements AutoCloseable {

  /// How many selectors are kept for others at most.
  private static final int IDLE_COUNT_MAXIMUM = 256;

  private static final Pool<Selector> IDLE =
      new Pool<>(IDLE_COUNT_MAXIMUM, ChannelReadiness::closeSelector);

  private final Selector selector;
  private final SelectionKey key;

  private ChannelReadiness(Selector selector, SelectionKey key) {
    this.selector = selector;
    this.key = key;
  }

  static ChannelReadiness of(SocketChannel channel) throws IOException {
    Selector idle = IDLE.poll();
    Selector selector = idle == null ? Selector.open() : idle;
    try {
      return new ChannelReadiness(selector, channel.register(selector, 0));
    } catch (ClosedChannelException e) {
      IDLE.giveBack(selector);
      throw e;
    }
  }

  /// @param operation of [SelectionKey]
  /// @param millis 0: no end
  /// @return false when it took longer
  /// @throws InterruptedIOException when this thread is to end
  boolean await(int operation, long millis) throws IOException {
    try {
      key.interestOps(operation);
    } catch (CancelledKeyException closed) {
      throw new ClosedChannelException();
    }
    boolean ready = selector.select(millis) > 0;
    selector.selectedKeys().clear();
    if (!ready && Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException();
    }
    return ready;
  }

  @Override
  public void close() throws IOException {
    boolean reusable = false;
    try {
      key.cancel();
      selector.selectNow();
      reusable = true;
    } finally {
      if (reusable) {
        IDLE.giveBack(selector);
      } else {
        selector.close();
      }
    }
  }

  private static void closeSelector(Selector selector) {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
