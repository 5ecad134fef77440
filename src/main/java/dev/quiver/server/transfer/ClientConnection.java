package dev.quiver.server.transfer;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/// The connection of a request, to which a response body can be written without Tomcat's buffers.
///
/// Only the thread of the request may use it, for a response with a `Content-Length`, or after the
/// head of a chunked response is flushed. Once it has begun, it must write the whole body or close
/// the connection. After a body with a length, or after [#endResponse], Tomcat writes nothing
/// further, and continues with the next request on the connection.
///
/// It is unavailable with TLS, with HTTP/2, and if Tomcat compresses responses.
public final class ClientConnection {

  private final DirectHttp11Processor processor;
  private final SocketChannel channel;
  private final Runnable end;

  /// @param end informs Tomcat that the response is complete
  ClientConnection(DirectHttp11Processor processor, SocketChannel channel, Runnable end) {
    this.processor = processor;
    this.channel = channel;
    this.end = end;
  }

  /// Returns the non-blocking channel. If it accepts no bytes, call [#awaitWritable].
  public SocketChannel channel() {
    return channel;
  }

  /// Commits the response and writes its head and all of `sources`, in a single write if possible.
  ///
  /// @throws SocketTimeoutException if the client is too slow
  public void writeFirst(TransferRateGuard guard, ByteBuffer... sources) throws IOException {
    ByteBuffer[] all = new ByteBuffer[1 + sources.length];
    all[0] = processor.head();
    System.arraycopy(sources, 0, all, 1, sources.length);
    write(guard, all);
  }

  /// Writes all of `sources` in order.
  ///
  /// @throws SocketTimeoutException if the client is too slow
  public void write(TransferRateGuard guard, ByteBuffer... sources) throws IOException {
    while (Arrays.stream(sources).anyMatch(ByteBuffer::hasRemaining)) {
      long count = channel.write(sources);
      guard.count(count);
      if (count == 0) {
        awaitWritable(guard);
      }
    }
  }

  /// Prevents Tomcat from ending a chunked response whose last chunk is already written.
  public void endResponse() {
    end.run();
  }

  /// Waits until the client accepts bytes again.
  ///
  /// @throws SocketTimeoutException if the client is too slow
  public void awaitWritable(TransferRateGuard guard) throws IOException {
    guard.startWaiting();
    boolean writable;
    try {
      writable = processor.await(SelectionKey.OP_WRITE, guard.idleMillis());
    } finally {
      guard.endWaiting();
    }
    if (!writable) {
      throw new SocketTimeoutException(
          "The client accepted nothing for " + guard.idleMillis() + " ms");
    }
    String violation = guard.violation();
    if (violation != null) {
      throw new SocketTimeoutException(violation);
    }
  }
}
