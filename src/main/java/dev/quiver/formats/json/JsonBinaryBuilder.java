package dev.quiver.formats.json;

import dev.quiver.arrow.type.Field;
import java.util.Arrays;
import java.util.Base64;
import tools.jackson.core.JsonToken;

/// An array of bytes, which are base64 in the text (RFC 4648, section 4).
final class JsonBinaryBuilder extends JsonBytesBuilder {

  JsonBinaryBuilder(Field field) {
    super(field);
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    readScalar(tokens, token);
    byte[] decoded;
    try {
      decoded =
          Base64.getDecoder().decode(Arrays.copyOfRange(tokens.text, tokens.start, tokens.end));
    } catch (IllegalArgumentException e) {
      throw invalid(tokens);
    }
    append(decoded, 0, decoded.length);
    end();
  }
}
