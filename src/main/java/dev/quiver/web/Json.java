package dev.quiver.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/// JSON documents that are not a representation of a version.
final class Json {

  static final String MEDIA_TYPE = "application/json";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static byte[] render(Object document) {
    return (MAPPER.writeValueAsString(document) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// Answers a HEAD like a GET whose document is not made, so that its length is not known: RFC
  /// 9110 §9.3.2 allows that.
  ///
  /// @return whether `request` is a HEAD
  static boolean answeredHead(HttpServletRequest request, HttpServletResponse response) {
    if (!request.getMethod().equals("HEAD")) {
      return false;
    }
    setHeaders(response);
    return true;
  }

  /// Sends `document`, which no cache may take for the present without asking.
  static void write(HttpServletResponse response, int status, Object document) throws IOException {
    byte[] body = render(document);
    response.setStatus(status);
    setHeaders(response);
    response.setContentLengthLong(body.length);
    response.getOutputStream().write(body);
  }

  private static void setHeaders(HttpServletResponse response) {
    response.setContentType(MEDIA_TYPE);
    response.setHeader("Cache-Control", "no-cache");
  }
}
