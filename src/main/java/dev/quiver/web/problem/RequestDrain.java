package dev.quiver.web.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// What is left of a body that is answered before its end.
public final class RequestDrain {

  private RequestDrain() {}

  /// Ends the connection after the answer when there is such a rest: without that a client goes on
  /// sending what nobody reads. [ProblemReportValve] reads on for a while nevertheless.
  ///
  /// @return whether there is
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
