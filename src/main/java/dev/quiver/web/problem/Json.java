package dev.quiver.web.problem;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/// Writes JSON documents other than the representations of a version.
public final class Json {

  public static final String MEDIA_TYPE = "application/json";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /// Renders the text first and then encodes it. JSON escapes control characters, and a lone
  /// surrogate becomes `?`.
  public static byte[] render(Object document) {
    return (MAPPER.writeValueAsString(document) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// Sends `document`, which caches must revalidate before each use.
  public static void write(HttpServletResponse response, int status, Object document)
      throws IOException {
    byte[] body = render(document);
    response.setStatus(status);
    response.setContentType(MEDIA_TYPE);
    response.setHeader("Cache-Control", "no-cache");
    response.setContentLengthLong(body.length);
    response.getOutputStream().write(body);
  }
}
