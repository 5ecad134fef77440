package dev.quiver.server.transfer;

import dev.quiver.arrow.parallel.Pool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// Lets the thread of a connection wait until its channel is readable or writable, without Tomcat's
/// poller.
///
/// While an instance is open, even a closed channel holds its socket.
final class ChannelReadiness implements AutoCloseable {

  /// The maximum number of idle selectors that are kept for reuse.
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

  /// Waits until the channel is ready.
  ///
  /// @param operation an operation of [SelectionKey]
  /// @param millis the timeout, or 0 to wait without limit
  /// @return false if the timeout expired
  /// @throws InterruptedIOException if this thread is interrupted
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
