package dev.quiver.store.log;

import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The state of an upload as JSON, with a member for each component of [ResumableUpload].
final class UploadJson {

  private static final JsonMapper MAPPER = new JsonMapper();

  private UploadJson() {}

  static byte[] write(ResumableUpload upload) {
    return MAPPER.writeValueAsBytes(upload);
  }

  /// @throws IOException if `json` is not an upload
  static ResumableUpload read(byte[] json, String key) throws IOException {
    try {
      return MAPPER.readValue(json, ResumableUpload.class);
    } catch (JacksonException e) {
      throw new IOException("Expected an upload but found invalid JSON at %s".formatted(key), e);
    }
  }
}
