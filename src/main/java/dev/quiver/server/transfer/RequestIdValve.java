package dev.quiver.server.transfer;

import dev.quiver.server.http.LogContext;
import dev.quiver.server.http.RequestId;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/// Gives each request its id, in the response and in the log, and the access log its bytes. A
/// valve, since Tomcat rejects some requests before any filter.
public final class RequestIdValve extends ValveBase {

  /// Creates a valve that also supports asynchronous requests.
  public RequestIdValve() {
    super(/* asyncSupported= */ true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    String id = RequestId.of(request);
    response.setHeader(RequestId.HEADER, id);
    LogContext.begin(id);
    try {
      getNext().invoke(request, response);
    } finally {
      LogContext.end();
      if (!request.isAsync()) {
        BodyMetrics.logRest(request, response.getContentWritten());
      }
    }
  }
}
