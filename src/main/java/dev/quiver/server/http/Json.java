package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
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

  /// Returns the members of a document, as its JSON has them.
  public static Map<String, Object> members(Object document) {
    return MAPPER.convertValue(document, new TypeReference<>() {});
  }

  /// Renders a document like [#render], without holding all of its text.
  public static void render(Object document, OutputStream output) throws IOException {
    Writer text = new OutputStreamWriter(output, StandardCharsets.UTF_8);
    MAPPER
        .writer()
        .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
        // An exception of the output has a status of its own.
        .without(SerializationFeature.WRAP_EXCEPTIONS)
        .writeValue(text, document);
    text.write('\n');
    text.flush();
  }

  /// Sends `document`, which caches must revalidate before each use.
  public static void write(HttpServletResponse response, int status, Object document)
      throws IOException {
    write(response, status, "no-cache", document);
  }

  /// Sends `document`.
  ///
  /// @param cacheControl what caches may do with it
  public static void write(
      HttpServletResponse response, int status, String cacheControl, Object document)
      throws IOException {
    byte[] body = render(document);
    response.setStatus(status);
    response.setContentType(MEDIA_TYPE);
    CacheControl.set(response, cacheControl);
    response.setContentLengthLong(body.length);
    response.getOutputStream().write(body);
  }
}
