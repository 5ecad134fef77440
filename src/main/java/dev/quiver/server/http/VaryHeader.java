package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletResponse;
import java.util.List;

/// The `Vary` header: RFC 9110 §12.5.5. It names exactly the request headers that were considered.
public final class VaryHeader {

  private static final String NAME = "Vary";

  private VaryHeader() {}

  /// Records that a response depends on a request header.
  public static void add(HttpServletResponse response, String header) {
    String present = response.getHeader(NAME);
    if (present == null) {
      response.setHeader(NAME, header);
    } else if (!List.of(present.split(", ")).contains(header)) {
      response.setHeader(NAME, present + ", " + header);
    }
  }
}
