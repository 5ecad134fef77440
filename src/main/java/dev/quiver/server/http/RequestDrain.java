package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The unread rest of a request body after an early response.
public final class RequestDrain {

  private RequestDrain() {}

  /// Closes the connection after the response if part of the body is unread; otherwise the client
  /// would keep sending. For a while, the connection discards the rest.
  ///
  /// @return whether part of the body is unread
  public static boolean closeAfterResponse(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    // A malformed length has no number.
    String length = request.getHeader("Content-Length");
    boolean hasBody =
        length != null && !length.equals("0") || request.getHeader("Transfer-Encoding") != null;
    if (!hasBody || request.getInputStream().isFinished()) {
      return false;
    }
    response.setHeader("Connection", "close");
    return true;
  }
}
