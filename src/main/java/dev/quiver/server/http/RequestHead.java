package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The target and the headers of a request, as a value that outlives the request.
///
/// @param path as a client sends it
/// @param parameters the decoded parameters of the query, in order
/// @param headers the values of each header line by its name in lower case
/// @param byteSize the size of the body, or -1 if unknown
public record RequestHead(
    String method,
    String path,
    Map<String, List<String>> parameters,
    Map<String, List<String>> headers,
    long byteSize) {

  /// Returns the head of `request`.
  public static RequestHead of(HttpServletRequest request) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    request.getParameterMap().forEach((name, values) -> parameters.put(name, List.of(values)));
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name.toLowerCase(Locale.ROOT), Collections.list(request.getHeaders(name)));
    }
    return new RequestHead(
        request.getMethod(),
        request.getRequestURI(),
        parameters,
        headers,
        request.getContentLengthLong());
  }

  /// Returns the values of a header, one per line.
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /// Returns the first value of a header, or null if absent.
  public @Nullable String header(String name) {
    List<String> values = headers(name);
    return values.isEmpty() ? null : values.getFirst();
  }

  /// Returns the value of `Content-Type`, or null if absent.
  public @Nullable String contentType() {
    return header("Content-Type");
  }

  /// Returns the first value of a parameter, or null if absent.
  public @Nullable String parameter(String name) {
    List<String> values = parameters.get(name);
    return values == null ? null : values.getFirst();
  }
}
