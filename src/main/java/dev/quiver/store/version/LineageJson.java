package dev.quiver.store.version;

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

/// The lineage of a version as JSON: an object with a member for each component of [Lineage].
/// Unknown members are ignored.
final class LineageJson {

  private static final JsonMapper MAPPER = new JsonMapper();

  private LineageJson() {}

  static byte[] write(Lineage lineage) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("sql", lineage.sql());
    ObjectNode parameters = object.putObject("parameters");
    lineage.parameters().forEach(parameters::put);
    ArrayNode reads = object.putArray("reads");
    lineage.reads().forEach(version -> reads.add(version.toString()));
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }

  /// @throws IllegalArgumentException if `json` is not a lineage
  static Lineage read(byte[] json) {
    JsonNode object;
    try {
      object = MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("Expected a lineage but found invalid JSON", e);
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    object
        .path("parameters")
        .forEachEntry((name, value) -> parameters.put(name, text(value, "parameters")));
    List<DatasetReference> reads = new ArrayList<>();
    object
        .path("reads")
        .forEach(version -> reads.add(DatasetReference.parse(text(version, "reads"))));
    return new Lineage(text(object.path("sql"), "sql"), parameters, reads);
  }

  private static String text(JsonNode value, String name) {
    if (!value.isString()) {
      throw new IllegalArgumentException("Expected text but found " + value + " at " + name);
    }
    return value.stringValue();
  }
}
