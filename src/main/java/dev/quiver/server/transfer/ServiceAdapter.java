package dev.quiver.server.transfer;

import dev.quiver.server.http.PublicPath;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.buf.MessageBytes;

/// Tomcat's adapter from a connection to the service, except for two rules.
///
/// Tomcat lists TRACE in the response to `OPTIONS *` if the service gets to see it, even if only to
/// reject it.
///
/// Below a path of the service, requests are as at the root: no code sees that path, except that
/// which [writes][PublicPath] it. A proxy may therefore remove it or pass it on.
public final class ServiceAdapter extends CoyoteAdapter {

  private static final String ALLOWED_METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

  private static final byte[] ROOT = {'/'};

  private final List<String> paths;

  /// @param paths those below which the service responds besides the root, the longest first, and
  ///   without a slash at their ends
  public ServiceAdapter(Connector connector, List<String> paths) {
    super(connector);
    this.paths = List.copyOf(paths);
  }

  @Override
  protected boolean postParseRequest(
      org.apache.coyote.Request parsed,
      Request request,
      org.apache.coyote.Response head,
      Response response)
      throws IOException, ServletException {
    removePath(parsed.requestURI(), request);
    boolean isForTheService = super.postParseRequest(parsed, request, head, response);
    if (parsed.requestURI().equals("*") && request.getMethod().equals("OPTIONS")) {
      head.setHeader("Allow", ALLOWED_METHODS);
    }
    return isForTheService;
  }

  /// Removes the path of the service from that of a request, before Tomcat decodes it.
  private void removePath(MessageBytes uri, Request request) {
    for (String path : paths) {
      ByteChunk bytes = uri.getByteChunk();
      int end = bytes.getStart() + path.length();
      if (uri.getType() != MessageBytes.T_BYTES || !isBelow(path, bytes)) {
        continue;
      }
      if (end == bytes.getEnd()) {
        uri.setBytes(ROOT, 0, ROOT.length);
      } else {
        uri.setBytes(bytes.getBytes(), end, bytes.getEnd() - end);
      }
      PublicPath.removedFrom(request, path);
      return;
    }
  }

  private static boolean isBelow(String path, ByteChunk uri) {
    byte[] expected = path.getBytes(StandardCharsets.US_ASCII);
    int end = uri.getStart() + expected.length;
    return uri.getLength() >= expected.length
        && Arrays.equals(uri.getBytes(), uri.getStart(), end, expected, 0, expected.length)
        && (end == uri.getEnd() || uri.getBytes()[end] == '/');
  }
}
