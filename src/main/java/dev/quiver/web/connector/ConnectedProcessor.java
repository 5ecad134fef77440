package dev.quiver.web.connector;

import java.nio.channels.SocketChannel;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// Reads requests of one connection at a time, and is known to them as a note.
final class ConnectedProcessor extends Http11Processor {

  /// One of the notes that Tomcat leaves to connectors; none is ever cleared.
  static final int NOTE = 9;

  private final ConnectedProtocol protocol;

  ConnectedProcessor(ConnectedProtocol protocol, Adapter adapter) {
    super(protocol, adapter);
    this.protocol = protocol;
    request.setNote(NOTE, this);
  }

  /// The present request's connection, when what is written to it is what the client gets: not with
  /// TLS, and not when Tomcat may code the content.
  @Nullable ClientConnection connection() {
    SocketChannel channel = channel();
    return channel != null && protocol.getCompression().equals("off")
        ? new ClientConnection(channel, this::setSwallowResponse)
        : null;
  }

  /// The present request's body, when what is read of its connection is what the client sent.
  @Nullable IncomingBody body() {
    SocketChannel channel = channel();
    return channel != null && request.getContentLengthLong() > 0
        ? new IncomingBody(request, getSocketWrapper(), channel)
        : null;
  }

  /// The socket, unless it has TLS.
  private @Nullable SocketChannel channel() {
    SocketWrapperBase<?> wrapper = getSocketWrapper();
    return wrapper != null
            && wrapper.getSocket() instanceof NioChannel socket
            && socket.getClass() == NioChannel.class
        ? socket.getIOChannel()
        : null;
  }
}
