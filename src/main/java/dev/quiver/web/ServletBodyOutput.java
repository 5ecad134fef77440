package dev.quiver.web;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A body that Tomcat sends: by TLS, to old clients, or so small that it goes with its head.
record ServletBodyOutput(ServletOutputStream output) implements BodyOutput {

  static ServletBodyOutput of(HttpServletResponse response) throws IOException {
    return new ServletBodyOutput(response.getOutputStream());
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
    // Tomcat ends it with the response.
  }
}
