package dev.quiver.web.response;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.catalina.connector.ResponseFacade;
import org.springframework.web.util.WebUtils;

/// A body that Tomcat sends: over TLS, to HTTP/1.0 clients, or if it is small enough to be sent
/// with its head.
record ServletBodyOutput(ServletOutputStream output) implements BodyOutput {

  /// Bypasses Spring's wrapper of the response, which copies each write into an array.
  static ServletBodyOutput of(HttpServletResponse response) throws IOException {
    ServletResponse own = WebUtils.getNativeResponse(response, ResponseFacade.class);
    return new ServletBodyOutput((own == null ? response : own).getOutputStream());
  }

  @Override
  public void write(ByteBuffer... sources) throws IOException {
    for (ByteBuffer source : sources) {
      output.write(source);
    }
  }

  @Override
  public void writeLast(ByteBuffer source) throws IOException {
    output.write(source);
  }

  @Override
  public void close() {
    // Tomcat ends the body with the response.
  }
}
