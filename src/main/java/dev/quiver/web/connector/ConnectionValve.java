package dev.quiver.web.connector;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/// Attaches the [ClientConnection] and the [IncomingBody] to each request that has them. A HEAD
/// gets no connection, so that no body can be sent by mistake.
public final class ConnectionValve extends ValveBase {

  private final boolean writes;

  /// Creates a valve that also supports asynchronous requests.
  ///
  /// @param writes whether connections may be written to directly
  public ConnectionValve(boolean writes) {
    super(/* asyncSupported= */ true);
    this.writes = writes;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    Object note = request.getCoyoteRequest().getNote(DirectHttp11Processor.NOTE);
    if (note instanceof DirectHttp11Processor processor) {
      set(request, IncomingBody.ATTRIBUTE, processor.body());
      // A request that Tomcat rejects may lack a method.
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
