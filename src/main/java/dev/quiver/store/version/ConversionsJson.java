package dev.quiver.store.version;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The converted columns of an append as JSON: an array of objects with a member for each component
/// of [ColumnConversion]. Unknown members are ignored.
final class ConversionsJson {

  private static final JsonMapper MAPPER = new JsonMapper();

  private ConversionsJson() {}

  static byte[] write(List<ColumnConversion> conversions) {
    ArrayNode array = MAPPER.createArrayNode();
    for (ColumnConversion conversion : conversions) {
      ObjectNode object = array.addObject();
      object.put("column", conversion.column());
      object.put("from", conversion.from());
      object.put("to", conversion.to());
    }
    return array.toString().getBytes(StandardCharsets.UTF_8);
  }

  /// @throws IllegalArgumentException if `json` does not have converted columns
  static List<ColumnConversion> read(byte[] json) {
    JsonNode array;
    try {
      array = MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("Expected converted columns but found invalid JSON", e);
    }
    List<ColumnConversion> conversions = new ArrayList<>();
    for (JsonNode object : array) {
      conversions.add(
          new ColumnConversion(
              required(text(object, "column"), "column"),
              text(object, "from"),
              required(text(object, "to"), "to")));
    }
    return conversions;
  }

  private static @Nullable String text(JsonNode object, String name) {
    JsonNode member = object.path(name);
    if (!member.isString() && !member.isNull()) {
      throw new IllegalArgumentException("Expected text but found " + member + " at " + name);
    }
    return member.isNull() ? null : member.stringValue();
  }

  private static String required(@Nullable String text, String name) {
    if (text == null) {
      throw new IllegalArgumentException("Expected text but found null at " + name);
    }
    return text;
  }
}
