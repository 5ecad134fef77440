package dev.quiver.server.transfer;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.catalina.connector.ResponseFacade;
import org.springframework.web.util.WebUtils;

/// A body that Tomcat sends: over TLS, to HTTP/1.0 clients, or if it is small enough to be sent
/// with its head.
record ServletBodyOutput(ServletOutputStream output, TransferRateGuard guard)
    implements BodyOutput {

  /// Bypasses Spring's wrapper of the response, which copies each write into an array.
  static ServletBodyOutput of(HttpServletResponse response, TransferRateGuard guard)
      throws IOException {
    ServletResponse own = WebUtils.getNativeResponse(response, ResponseFacade.class);
    return new ServletBodyOutput((own == null ? response : own).getOutputStream(), guard);
  }

  @Override
  public void write(ByteBuffer... sources) throws IOException {
    for (ByteBuffer source : sources) {
      long count = source.remaining();
      guard.startWaiting(count);
      try {
        output.write(source);
      } finally {
        guard.endWaiting();
      }
      guard.count(count);
    }
  }

  @Override
  public void writeLast(ByteBuffer source) throws IOException {
    write(source);
  }

  @Override
  public void close() {
    // Tomcat ends the body with the response.
  }
}
