package dev.quiver.web.connector;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/// Gives each request its [ClientConnection] and its [IncomingBody], where it has them: a HEAD has
/// no connection, since nobody may answer it with a body by mistake.
public final class ConnectionValve extends ValveBase {

  private final boolean writes;

  /// For every request, also one that is handled asynchronously.
  ///
  /// @param writes whether connections may be written to
  public ConnectionValve(boolean writes) {
    super(/* asyncSupported= */ true);
    this.writes = writes;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    Object note = request.getCoyoteRequest().getNote(DirectHttp11Processor.NOTE);
    if (note instanceof DirectHttp11Processor processor) {
      set(request, IncomingBody.ATTRIBUTE, processor.body());
      // What Tomcat refuses may have no method.
      if (writes && !"HEAD".equals(request.getMethod())) {
        set(request, ClientConnection.ATTRIBUTE, processor.connection());
      }
    }
    getNext().invoke(request, response);
  }

  private static void set(Request request, String attribute, @Nullable Object value) {
    if (value != null) {
      request.setAttribute(attribute, value);
    }
  }
}
