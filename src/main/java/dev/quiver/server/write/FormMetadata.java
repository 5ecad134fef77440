package dev.quiver.server.write;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.write.UploadOptions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The part `metadata` of a form: `{"name": …, "batches": …, "codec": …, "expires": …}`, each
/// member optional.
///
/// @param name the name of the new dataset, or null if absent
/// @param batches how to store batches, or null if absent
/// @param codec how to compress them, or null if absent
/// @param expires the end of the version, or null if absent
record FormMetadata(
    @Nullable DatasetName name,
    @Nullable String batches,
    @Nullable String codec,
    @Nullable String expires) {

  /// The metadata of a form without that part.
  static final FormMetadata NONE = new FormMetadata(null, null, null, null);

  private static final List<String> MEMBERS = List.of("name", "batches", "codec", "expires");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /// Parses a JSON object.
  ///
  /// @throws ProblemException if it is not a JSON object or has unknown members: status 400
  static FormMetadata parse(byte[] json) {
    JsonNode document = read(json);
    if (!document.isObject()) {
      throw unexpected("a JSON object", "other JSON", "part metadata");
    }
    for (Map.Entry<String, JsonNode> member : document.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw unexpected("name, batches, codec or expires", member.getKey(), "part metadata");
      }
      if (!member.getValue().isString()) {
        throw unexpected("text", "other JSON", where(member.getKey()));
      }
    }
    String name = text(document, "name");
    return new FormMetadata(
        name == null ? null : name(name),
        text(document, "batches"),
        text(document, "codec"),
        text(document, "expires"));
  }

  private static JsonNode read(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (JacksonException e) {
      throw unexpected("a JSON object", "other text", "part metadata");
    }
  }

  private static @Nullable String text(JsonNode document, String member) {
    JsonNode value = document.get(member);
    return value == null ? null : value.asString();
  }

  private static DatasetName name(String name) {
    DatasetName given = DatasetPath.name(name);
    DatasetPath.requireNew(given);
    return given;
  }

  /// Returns how to store the data.
  ///
  /// @param defaults the options that apply where this metadata has none
  UploadOptions options(UploadOptions defaults) {
    return UploadParameters.of(batches, codec, expires, where("%s"), defaults);
  }

  private static String where(String member) {
    return "member " + member + " of part metadata";
  }

  private static ProblemException unexpected(String expected, String found, String where) {
    return Problem.badRequest(
        "Expected %s but found %s at %s"
            .formatted(expected, Excerpt.of(found, Problem.QUOTE_LENGTH), where));
  }
}
