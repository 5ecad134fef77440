package dev.quiver.server.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/// Processes the requests of one connection at a time, and attaches itself to each as a note.
///
/// The thread of a response also serves the next request if that arrives immediately. Otherwise,
/// two threads would have to wake up for it: Tomcat's poller and a thread of its pool.
final class DirectHttp11Processor extends Http11Processor {

  /// A note that Tomcat reserves for connectors; it is never cleared.
  static final int NOTE = 9;

  /// Limits the threads that wait for the next request of their connection, so that enough are left
  /// for other connections.
  private static final Semaphore WAITING =
      new Semaphore(4 * Runtime.getRuntime().availableProcessors());

  private final DirectHttp11Protocol protocol;

  /// The readiness of the current connection, created at the first wait.
  private @Nullable ChannelReadiness readiness;

  private @Nullable ConnectionWatch watch;
  private boolean serving;

  DirectHttp11Processor(DirectHttp11Protocol protocol, Adapter adapter) {
    super(protocol, adapter);
    this.protocol = protocol;
    request.setNote(NOTE, this);
  }

  /// Serves requests that have arrived, or continues with one that waited without a thread.
  @Override
  public SocketState process(SocketWrapperBase<?> wrapper, SocketEvent status) throws IOException {
    serving = true;
    watch = protocol.watch(wrapper);
    try {
      return super.process(wrapper, status);
    } finally {
      serving = false;
      watch = null;
      if (readiness != null) {
        readiness.close();
        readiness = null;
      }
    }
  }

  @Override
  public SocketState service(SocketWrapperBase<?> wrapper) throws IOException {
    SocketState state = serveNext(wrapper);
    while (state == SocketState.OPEN && awaitNextRequest()) {
      state = serveNext(wrapper);
    }
    return state;
  }

  /// Serves the requests that have arrived, and notes what has arrived of the next one.
  private SocketState serveNext(SocketWrapperBase<?> wrapper) throws IOException {
    ConnectionWatch watched = watch;
    if (watched == null) {
      return super.service(wrapper);
    }
    watched.enterHead();
    SocketState state = super.service(wrapper);
    if (state == SocketState.LONG && !isAsync()) {
      watched.enterHead();
    } else if (state == SocketState.OPEN) {
      watched.enterIdle();
    }
    return state;
  }

  /// Returns whether Tomcat has rejected the head of the current request.
  boolean isRejected() {
    return getErrorState().isError();
  }

  /// Returns the watch of the current connection, or null if it is not limited.
  @Nullable ConnectionWatch watch() {
    return watch;
  }

  private boolean awaitNextRequest() throws IOException {
    if (socketChannel() == null || hasQueuedRequests() || !WAITING.tryAcquire()) {
      return false;
    }
    try {
      return await(SelectionKey.OP_READ, protocol.nextRequestMillis());
    } finally {
      WAITING.release();
    }
  }

  /// Returns whether requests of other connections wait for a thread.
  private boolean hasQueuedRequests() {
    return protocol.getExecutor() instanceof ThreadPoolExecutor pool && !pool.getQueue().isEmpty();
  }

  /// Waits until the connection is readable or writable.
  ///
  /// @param operation an operation of [SelectionKey]
  /// @param millis the timeout, or 0 to wait without limit
  /// @return false if the timeout expired
  boolean await(int operation, long millis) throws IOException {
    if (readiness == null) {
      SocketChannel channel = socketChannel();
      if (channel == null) {
        throw new ClosedChannelException();
      }
      readiness = ChannelReadiness.of(channel);
    }
    return readiness.await(operation, millis);
  }

  /// Commits the response and returns its head, which Tomcat would send next.
  ByteBuffer head() throws IOException {
    response.action(ActionCode.COMMIT, null);
    SocketWrapperBase<?> wrapper = getSocketWrapper();
    if (wrapper == null || !getErrorState().isIoAllowed()) {
      throw new ClosedChannelException();
    }
    SocketBufferHandler buffers = wrapper.getSocketBufferHandler();
    buffers.configureWriteBufferForRead();
    return buffers.getWriteBuffer();
  }

  /// Returns the connection of the current request, or null if Tomcat transforms what it sends:
  /// with TLS or compression.
  @Nullable ClientConnection connection() {
    SocketChannel channel = channel();
    return channel != null && protocol.getCompression().equals("off")
        ? new ClientConnection(this, channel, this::setSwallowResponse)
        : null;
  }

  /// Returns the body of the current request, or null if the bytes on the connection are not those
  /// of the body.
  @Nullable IncomingBody body() {
    SocketChannel channel = channel();
    return channel != null && request.getContentLengthLong() > 0
        ? new IncomingBody(this, request, getSocketWrapper(), channel)
        : null;
  }

  /// Returns the socket, or null if it uses TLS or if another thread handles the request.
  private @Nullable SocketChannel channel() {
    SocketWrapperBase<?> wrapper = getSocketWrapper();
    return wrapper != null
            && wrapper.getSocket() instanceof NioChannel socket
            && socket.getClass() == NioChannel.class
        ? socketChannel()
        : null;
  }

  /// Returns the socket below TLS, or null if another thread handles the request.
  private @Nullable SocketChannel socketChannel() {
    SocketWrapperBase<?> wrapper = getSocketWrapper();
    return serving && wrapper != null && wrapper.getSocket() instanceof NioChannel socket
        ? socket.getIOChannel()
        : null;
  }
}
