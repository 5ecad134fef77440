package dev.quiver.web.connector;

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
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/// Reads requests of one connection at a time, and is known to them as a note.
///
/// Who asks again at once is answered by the thread that just answered, without two others having
/// to be woken up for it: Tomcat's poller, and one of its pool.
final class DirectHttp11Processor extends Http11Processor {

  /// One of the notes that Tomcat leaves to connectors; none is ever cleared.
  static final int NOTE = 9;

  /// Threads that wait for the next request are few, so that others do not miss them.
  private static final Semaphore WAITING =
      new Semaphore(4 * Runtime.getRuntime().availableProcessors());

  private final DirectHttp11Protocol protocol;

  /// Of the present connection, once it was waited for.
  private @Nullable ChannelReadiness readiness;

  private boolean serving;

  DirectHttp11Processor(DirectHttp11Protocol protocol, Adapter adapter) {
    super(protocol, adapter);
    this.protocol = protocol;
    request.setNote(NOTE, this);
  }

  @Override
  public SocketState service(SocketWrapperBase<?> wrapper) throws IOException {
    serving = true;
    try {
      SocketState state = super.service(wrapper);
      while (state == SocketState.OPEN && sendsNext()) {
        state = super.service(wrapper);
      }
      return state;
    } finally {
      serving = false;
      if (readiness != null) {
        readiness.close();
        readiness = null;
      }
    }
  }

  private boolean sendsNext() throws IOException {
    if (channel() == null || requestsWait() || !WAITING.tryAcquire()) {
      return false;
    }
    try {
      return await(SelectionKey.OP_READ, protocol.nextRequestMillis());
    } finally {
      WAITING.release();
    }
  }

  /// Whether other connections have requests for which there is no thread.
  private boolean requestsWait() {
    return protocol.getExecutor() instanceof ThreadPoolExecutor pool && !pool.getQueue().isEmpty();
  }

  /// Waits until the connection takes or sends something.
  ///
  /// @param operation of [SelectionKey]
  /// @param millis 0: no end
  /// @return false when it took longer
  boolean await(int operation, long millis) throws IOException {
    if (readiness == null) {
      SocketChannel channel = channel();
      if (channel == null) {
        throw new ClosedChannelException();
      }
      readiness = ChannelReadiness.of(channel);
    }
    return readiness.await(operation, millis);
  }

  /// What Tomcat would send next: the head of the answer, which is complete from now on.
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

  /// The present request's connection, when what is written to it is what the client gets: not with
  /// TLS, and not when Tomcat may code the content.
  @Nullable ClientConnection connection() {
    SocketChannel channel = channel();
    return channel != null && protocol.getCompression().equals("off")
        ? new ClientConnection(this, channel, this::setSwallowResponse)
        : null;
  }

  /// The present request's body, when what is read of its connection is what the client sent.
  @Nullable IncomingBody body() {
    SocketChannel channel = channel();
    return channel != null && request.getContentLengthLong() > 0
        ? new IncomingBody(this, request, getSocketWrapper(), channel)
        : null;
  }

  /// The socket, unless it has TLS, or the request is not answered by the thread that read it.
  private @Nullable SocketChannel channel() {
    SocketWrapperBase<?> wrapper = getSocketWrapper();
    return serving
            && wrapper != null
            && wrapper.getSocket() instanceof NioChannel socket
            && socket.getClass() == NioChannel.class
        ? socket.getIOChannel()
        : null;
  }
}
