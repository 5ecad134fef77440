package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;

/// The attribute of a request from which the access log takes the bytes of the body. Tomcat itself
/// does not count bytes that bypass it.
public final class AccessLog {

  /// `server.tomcat.accesslog.pattern` names it.
  private static final String BODY_BYTES = "quiver.body.bytes";

  private AccessLog() {}

  public static void count(HttpServletRequest request, long byteCount) {
    request.setAttribute(BODY_BYTES, byteCount);
  }

  /// Counts bytes, unless some were counted.
  public static void countRest(HttpServletRequest request, long byteCount) {
    if (request.getAttribute(BODY_BYTES) == null) {
      count(request, byteCount);
    }
  }
}
