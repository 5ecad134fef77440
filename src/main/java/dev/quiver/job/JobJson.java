package dev.quiver.job;

import dev.quiver.dataset.version.DatasetReference;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A job as JSON: an object with a member for each component of [Job] that is not null. Unknown
/// members are ignored.
final class JobJson {

  private static final JsonMapper MAPPER = new JsonMapper();

  private JobJson() {}

  static byte[] write(Job job) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("id", job.id());
    object.put("owner", job.owner());
    object.put("state", job.state().name());
    put(object, "dataset", job.dataset());
    object.put("createdAt", job.createdAt().toString());
    object.put("heartbeatAt", job.heartbeatAt().toString());
    put(object, "endedAt", job.endedAt());
    object.put("committing", job.committing());
    JobProgress progress = job.progress();
    if (progress.fraction() != null) {
      object.put("fraction", progress.fraction());
    }
    if (progress.rowsRead() != null) {
      object.put("rowsRead", progress.rowsRead());
    }
    if (progress.rowsTotal() != null) {
      object.put("rowsTotal", progress.rowsTotal());
    }
    if (job.problem() != null) {
      object.set("problem", MAPPER.valueToTree(job.problem()));
    }
    JobResult result = job.result();
    if (result != null) {
      object.put("version", result.version().toString());
      object.set("document", MAPPER.valueToTree(result.document()));
    }
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void put(ObjectNode object, String name, @Nullable Object value) {
    if (value != null) {
      object.put(name, value.toString());
    }
  }

  /// @throws IllegalArgumentException if `json` is not a job
  static Job read(byte[] json) {
    try {
      JsonNode object = MAPPER.readTree(json);
      return new Job(
          text(object, "id"),
          text(object, "owner"),
          JobState.valueOf(text(object, "state")),
          object.has("dataset") ? text(object, "dataset") : null,
          Instant.parse(text(object, "createdAt")),
          Instant.parse(text(object, "heartbeatAt")),
          object.has("endedAt") ? Instant.parse(text(object, "endedAt")) : null,
          object.path("committing").asBoolean(false),
          new JobProgress(
              object.has("fraction") ? object.path("fraction").doubleValue() : null,
              number(object, "rowsRead"),
              number(object, "rowsTotal")),
          object.has("problem") ? members(object.path("problem")) : null,
          object.has("version")
              ? new JobResult(
                  DatasetReference.parse(text(object, "version")), members(object.path("document")))
              : null);
    } catch (JacksonException | DateTimeException e) {
      throw new IllegalArgumentException("Expected a job but found other JSON", e);
    }
  }

  private static Map<String, Object> members(JsonNode document) {
    return MAPPER.convertValue(document, new TypeReference<>() {});
  }

  private static @Nullable Long number(JsonNode object, String name) {
    return object.has(name) ? object.path(name).longValue() : null;
  }

  private static String text(JsonNode object, String name) {
    JsonNode member = object.path(name);
    if (!member.isString()) {
      throw new IllegalArgumentException("Expected text but found " + member + " at " + name);
    }
    return member.stringValue();
  }
}
