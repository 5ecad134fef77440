package dev.quiver.server.write;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The headers of a response before a handler has changed them.
final class ResponseHeaders {

  private final Map<String, List<String>> before = new HashMap<>();

  ResponseHeaders(HttpServletResponse response) {
    for (String name : response.getHeaderNames()) {
      before.put(name, List.copyOf(response.getHeaders(name)));
    }
  }

  /// Makes the response that of before, with status 200 and without a body.
  ///
  /// @throws IllegalStateException if it is committed
  void restore(HttpServletResponse response) {
    response.resetBuffer();
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType(null);
    for (String name : List.copyOf(response.getHeaderNames())) {
      response.setHeader(name, null);
    }
    before.forEach((name, values) -> {
      List<String> all = new ArrayList<>(values);
      response.setHeader(name, all.removeFirst());
      all.forEach(value -> response.addHeader(name, value));
    });
  }
}
