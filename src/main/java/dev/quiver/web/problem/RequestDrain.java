package dev.quiver.web.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The unread rest of a request body after an early response.
public final class RequestDrain {

  private RequestDrain() {}

  /// Closes the connection after the response if part of the body is unread; otherwise the client
  /// would keep sending. [ProblemReportValve] still reads on for a while.
  ///
  /// @return whether part of the body is unread
  public static boolean closeAfterResponse(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean hasBody =
        request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    if (!hasBody || request.getInputStream().isFinished()) {
      return false;
    }
    response.setHeader("Connection", "close");
    request.setAttribute(ProblemReportValve.BODY_UNREAD, true);
    return true;
  }
}
