package dev.quiver.formats.json;

import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.json.JsonErrors.InvalidTextException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.JsonStringEncoder;

/// An array of texts: of scalars as they are without quotation marks, or of any values as JSON
/// without blanks between its tokens.
final class JsonTextBuilder extends JsonBytesBuilder {

  private final boolean isJson;

  /// @param field with the extension `arrow.json` if the texts are JSON
  JsonTextBuilder(Field field) {
    super(field);
    this.isJson = JsonTypes.isJson(field);
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    if (isJson || token.isStructStart()) {
      appendJson(tokens, token);
    } else {
      tokens.readScalar(token);
      append(tokens.text, tokens.start, tokens.end);
    }
    end();
  }

  private void appendJson(JsonTokens tokens, JsonToken token) {
    switch (token) {
      case START_OBJECT -> appendObject(tokens);
      case START_ARRAY -> appendArray(tokens);
      case VALUE_STRING -> appendString(tokens);
      case VALUE_NULL -> append("null");
      default -> {
        tokens.readScalar(token);
        append(tokens.text, tokens.start, tokens.end);
      }
    }
  }

  /// Appends a string as it is written. Its escapes were checked when it was read.
  private void appendString(JsonTokens tokens) {
    tokens.readScalar(JsonToken.VALUE_STRING);
    append(tokens.block().text, tokens.scalarOffset(), tokens.offset());
  }

  private void appendObject(JsonTokens tokens) {
    append("{");
    Set<String> keys = new HashSet<>();
    while (tokens.required() == JsonToken.PROPERTY_NAME) {
      String key = tokens.name();
      if (!keys.add(key)) {
        throw new InvalidTextException(
            tokens.nameOffset(),
            "each key once in an object",
            "\"%s\" again".formatted(ForeignDataException.excerpt(key)));
      }
      append(keys.size() > 1 ? "," : "");
      append("\"");
      append(new String(JsonStringEncoder.getInstance().quoteAsCharArray(key)));
      append("\":");
      appendJson(tokens, tokens.required());
    }
    append("}");
  }

  private void appendArray(JsonTokens tokens) {
    append("[");
    JsonToken token = tokens.required();
    for (int i = 0; token != JsonToken.END_ARRAY; i++) {
      append(i > 0 ? "," : "");
      appendJson(tokens, token);
      token = tokens.required();
    }
    append("]");
  }

  private void append(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    append(bytes, 0, bytes.length);
  }
}
