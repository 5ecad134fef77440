package dev.quiver.store.version;

import dev.quiver.formats.FileParameters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The parameters of a file as JSON: an object with a member for each component of
/// [FileParameters]. Unknown members are ignored.
final class FileParametersJson {

  private static final JsonMapper MAPPER = new JsonMapper();

  private FileParametersJson() {}

  static byte[] write(FileParameters parameters) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("format", parameters.format());
    ObjectNode values = object.putObject("values");
    parameters
        .values()
        .forEach((name, all) -> {
          ArrayNode array = values.putArray(name);
          all.forEach(array::add);
        });
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }

  /// @throws IllegalArgumentException if `json` does not have parameters
  static FileParameters read(byte[] json) {
    JsonNode object;
    try {
      object = MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("Expected parameters but found invalid JSON", e);
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    object
        .path("values")
        .forEachEntry((name, all) -> {
          List<String> texts = new ArrayList<>();
          all.forEach(value -> texts.add(text(value, name)));
          values.put(name, texts);
        });
    return new FileParameters(text(object.path("format"), "format"), values);
  }

  private static String text(JsonNode value, String name) {
    if (!value.isString()) {
      throw new IllegalArgumentException("Expected text but found " + value + " at " + name);
    }
    return value.stringValue();
  }
}
