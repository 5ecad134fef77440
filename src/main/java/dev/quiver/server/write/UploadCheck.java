package dev.quiver.server.write;

import dev.quiver.server.http.RequestCoding;
import dev.quiver.server.http.RequestDigests;
import jakarta.servlet.http.HttpServletRequest;

/// A request whose body comes later. Its handler checks all that can be checked without the body.
public final class UploadCheck {

  private static final String ATTRIBUTE = UploadCheck.class.getName();

  private UploadCheck() {}

  /// Asks the handler of a request for a check alone.
  public static void want(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, false);
  }

  /// Returns whether the body comes later.
  public static boolean isWanted(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) != null;
  }

  /// Ends the check. Returns whether its result was positive.
  public static boolean end(HttpServletRequest request) {
    boolean passed = Boolean.TRUE.equals(request.getAttribute(ATTRIBUTE));
    request.removeAttribute(ATTRIBUTE);
    return passed;
  }

  /// Checks the headers about the body, as the last step of the check.
  ///
  /// @throws dev.quiver.server.http.ProblemException 400 or 415
  public static void pass(HttpServletRequest request) {
    RequestCoding.of(request);
    RequestDigests.of(request);
    request.setAttribute(ATTRIBUTE, true);
  }
}
