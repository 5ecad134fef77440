package dev.quiver.server.transfer;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// A request body that is read from the connection directly into the memory of its reader. A read
/// returns as much as has arrived. Tomcat itself would copy the body twice, in pieces as small as
/// its buffer, and each read would wake up the sender.
///
/// For an upload of 1 GB by `curl -T`, this reduces the CPU time of the service to 0.74. On a busy
/// machine with two processors, it reduces the elapsed time to 0.37 (medians of 9 alternating
/// rounds, stored in memory).
///
/// Tomcat counts each piece as if it had read it, and continues at the end of the body.
///
/// Only the thread of the request may use it, together with the request's own stream. Bytes that
/// Tomcat has already read, and the end of the body, come from the stream alone. It is unavailable
/// with TLS, with HTTP/2, and without a `Content-Length`, where Tomcat has to find the end.
public final class IncomingBody {

  private final DirectHttp11Processor processor;
  private final Request request;
  private final SocketWrapperBase<?> socket;
  private final SocketChannel channel;

  /// @param request the request that `processor` has read
  /// @param channel the channel of `socket`
  IncomingBody(
      DirectHttp11Processor processor,
      Request request,
      SocketWrapperBase<?> socket,
      SocketChannel channel) {
    this.processor = processor;
    this.request = request;
    this.socket = socket;
    this.channel = channel;
  }

  /// Reads the available bytes, or waits for the next ones.
  ///
  /// @return the number of bytes read to the position of `destination`, which does not change; 0 if
  ///   the request's stream has to be read next
  /// @throws SocketTimeoutException if the client sends nothing for the connector's read timeout
  public int read(ByteBuffer destination) throws IOException {
    long remaining = request.getContentLengthLong() - request.getBytesRead();
    if (remaining <= 0 || !canReadDirectly()) {
      return 0;
    }
    ByteBuffer received =
        destination.slice(
            destination.position(), (int) Math.min(remaining, destination.remaining()));
    int count = receive(received);
    if (count <= 0) {
      // Tomcat also finds the end, and handles it as usual.
      return 0;
    }
    pass(received.flip());
    return count;
  }

  /// Returns whether Tomcat has started to read the body, which sends `100 Continue`, and its
  /// buffers are empty.
  private boolean canReadDirectly() {
    return request.getBytesRead() > 0
        && request.getInputBuffer().available() == 0
        && socket.getSocketBufferHandler().isReadBufferEmpty();
  }

  private int receive(ByteBuffer destination) throws IOException {
    int count = channel.read(destination);
    while (count == 0) {
      long millis = socket.getReadTimeout();
      if (!processor.await(SelectionKey.OP_READ, Math.max(millis, 0))) {
        throw new SocketTimeoutException("The client sent nothing for " + millis + " ms");
      }
      count = channel.read(destination);
    }
    return count;
  }

  /// Makes Tomcat count the bytes as if they came from its own buffer.
  private void pass(ByteBuffer received) throws IOException {
    Http11InputBuffer buffer = (Http11InputBuffer) request.getInputBuffer();
    ByteBuffer own = buffer.getByteBuffer();
    buffer.setByteBuffer(received);
    try {
      request.doRead(new Passed());
    } finally {
      buffer.setByteBuffer(own);
    }
  }

  /// Receives the bytes that Tomcat passes on.
  private static final class Passed implements ApplicationBufferHandler {

    private @Nullable ByteBuffer buffer;

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public @Nullable ByteBuffer getByteBuffer() {
      return buffer;
    }

    @Override
    public void expand(int size) {
      // The buffer already has its size.
    }
  }
}
