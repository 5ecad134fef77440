package dev.quiver.server.transfer;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;

/// Tomcat's adapter from a connection to the service, except for the response to `OPTIONS *`.
/// There, Tomcat lists TRACE if the service gets to see it, even if only to reject it.
public final class ServiceAdapter extends CoyoteAdapter {

  private static final String ALLOWED_METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

  public ServiceAdapter(Connector connector) {
    super(connector);
  }

  @Override
  protected boolean postParseRequest(
      org.apache.coyote.Request parsed,
      Request request,
      org.apache.coyote.Response head,
      Response response)
      throws IOException, ServletException {
    boolean isForTheService = super.postParseRequest(parsed, request, head, response);
    if (parsed.requestURI().equals("*") && request.getMethod().equals("OPTIONS")) {
      head.setHeader("Allow", ALLOWED_METHODS);
    }
    return isForTheService;
  }
}
