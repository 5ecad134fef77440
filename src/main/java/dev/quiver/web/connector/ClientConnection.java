package dev.quiver.web.connector;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// The connection of a request, to which the body of its answer may be written past Tomcat.
///
/// To be used by the thread of the request, after the head of the answer was flushed with the
/// length of the body, which then has to be written whole, or else the connection closed. Tomcat
/// has nothing left to write then, keeps what it read of further requests to itself, and goes on
/// with them.
///
/// There is none with TLS, with HTTP/2, or where Tomcat compresses.
public final class ClientConnection {

  static final String ATTRIBUTE = ClientConnection.class.getName();

  private final SocketChannel channel;

  ClientConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /// The connection of `request`, or null when it can only be written to by Tomcat.
  public static @Nullable ClientConnection of(HttpServletRequest request) {
    return (ClientConnection) request.getAttribute(ATTRIBUTE);
  }

  /// What does not block: it may take nothing until [#awaitWritable].
  public SocketChannel channel() {
    return channel;
  }

  /// Writes all of `source`.
  ///
  /// @param idleMillis how long the client may take nothing
  /// @throws SocketTimeoutException when it takes longer
  public void write(ByteBuffer source, long idleMillis) throws IOException {
    while (source.hasRemaining()) {
      if (channel.write(source) == 0) {
        awaitWritable(idleMillis);
      }
    }
  }

  /// Waits until the client takes something again.
  ///
  /// @throws SocketTimeoutException when that takes longer than `idleMillis`
  public void awaitWritable(long idleMillis) throws IOException {
    if (!Readiness.await(channel, SelectionKey.OP_WRITE, idleMillis)) {
      throw new SocketTimeoutException("The client took nothing for " + idleMillis + " ms");
    }
  }
}
