package dev.quiver.web.connector;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The connection of a request, to which the body of its answer may be written past Tomcat.
///
/// To be used by the thread of the request, when the answer has the length of its body, or after
/// its head was flushed for chunks. The body then has to be written whole, or else the connection
/// closed. Tomcat has nothing left to write after a body that has a length, or after [#endAnswer],
/// keeps what it read of further requests to itself, and goes on with them.
///
/// There is none with TLS, with HTTP/2, or where Tomcat compresses.
public final class ClientConnection {

  static final String ATTRIBUTE = ClientConnection.class.getName();

  private final DirectHttp11Processor processor;
  private final SocketChannel channel;
  private final Runnable end;

  /// @param end what tells Tomcat that the answer is whole
  ClientConnection(DirectHttp11Processor processor, SocketChannel channel, Runnable end) {
    this.processor = processor;
    this.channel = channel;
    this.end = end;
  }

  /// The connection of `request`, or null when it can only be written to by Tomcat.
  public static @Nullable ClientConnection of(HttpServletRequest request) {
    return (ClientConnection) request.getAttribute(ATTRIBUTE);
  }

  /// What does not block: it may take nothing until [#awaitWritable].
  public SocketChannel channel() {
    return channel;
  }

  /// Commits the answer, and writes its head and all of `sources`, in one write where that is
  /// taken.
  ///
  /// @param idleMillis how long the client may take nothing
  /// @throws SocketTimeoutException when it takes longer
  public void writeFirst(long idleMillis, ByteBuffer... sources) throws IOException {
    ByteBuffer[] all = new ByteBuffer[1 + sources.length];
    all[0] = processor.head();
    System.arraycopy(sources, 0, all, 1, sources.length);
    write(idleMillis, all);
  }

  /// Writes all of `sources`, one after the other.
  ///
  /// @param idleMillis how long the client may take nothing
  /// @throws SocketTimeoutException when it takes longer
  public void write(long idleMillis, ByteBuffer... sources) throws IOException {
    while (Arrays.stream(sources).anyMatch(ByteBuffer::hasRemaining)) {
      if (channel.write(sources) == 0) {
        awaitWritable(idleMillis);
      }
    }
  }

  /// Keeps Tomcat from ending the chunks of an answer, whose last one was written.
  public void endAnswer() {
    end.run();
  }

  /// Waits until the client takes something again.
  ///
  /// @throws SocketTimeoutException when that takes longer than `idleMillis`
  public void awaitWritable(long idleMillis) throws IOException {
    if (!processor.await(SelectionKey.OP_WRITE, idleMillis)) {
      throw new SocketTimeoutException("The client took nothing for " + idleMillis + " ms");
    }
  }
}
