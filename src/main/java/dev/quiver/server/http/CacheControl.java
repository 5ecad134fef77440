package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletResponse;

/// The header `Cache-Control`: RFC 9111 §5.2.2. A response that is not for all principals is kept
/// by private caches alone.
public final class CacheControl {

  public static final String NAME = "Cache-Control";
  public static final String NO_STORE = "no-store";

  private static final String PUBLIC = "public";
  private static final String PRIVATE = "private";

  private CacheControl() {}

  /// Restricts a response to private caches, before its header is set.
  public static void restrict(HttpServletResponse response) {
    response.setHeader(NAME, PRIVATE);
  }

  /// Sets the header of a response.
  ///
  /// @param value for a response for all principals
  public static void set(HttpServletResponse response, String value) {
    String present = response.getHeader(NAME);
    boolean restricted = present != null && present.startsWith(PRIVATE);
    response.setHeader(NAME, restricted && !value.equals(NO_STORE) ? restricted(value) : value);
  }

  private static String restricted(String value) {
    return value.startsWith(PUBLIC)
        ? PRIVATE + value.substring(PUBLIC.length())
        : PRIVATE + ", " + value;
  }
}
