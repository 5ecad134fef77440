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

  /// The socket of the present request, when what is written to it is what the client gets: not
  /// with TLS, and not when Tomcat may code the content.
  @Nullable SocketChannel channel() {
    SocketWrapperBase<?> wrapper = getSocketWrapper();
    boolean plain =
        wrapper != null
            && wrapper.getSocket() instanceof NioChannel socket
            && socket.getClass() == NioChannel.class;
    return plain && protocol.getCompression().equals("off")
        ? ((NioChannel) wrapper.getSocket()).getIOChannel()
        : null;
  }
}
