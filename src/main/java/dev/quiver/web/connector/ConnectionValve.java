package dev.quiver.web.connector;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/// Gives each request its [ClientConnection], where it has one: a HEAD has none, since nobody may
/// answer it with a body by mistake.
public final class ConnectionValve extends ValveBase {

  /// For every request, also one that is handled asynchronously.
  public ConnectionValve() {
    super(/* asyncSupported= */ true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    Object note = request.getCoyoteRequest().getNote(ConnectedProcessor.NOTE);
    SocketChannel channel =
        note instanceof ConnectedProcessor processor ? processor.channel() : null;
    // What Tomcat refuses may have no method.
    if (channel != null && !"HEAD".equals(request.getMethod())) {
      request.setAttribute(ClientConnection.ATTRIBUTE, new ClientConnection(channel));
    }
    getNext().invoke(request, response);
  }
}
