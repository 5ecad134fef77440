package dev.quiver.store.log;

import dev.quiver.store.version.DatasetReference;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A job as two lines of JSON. The first one is an object with a member for each component of [Job]
/// that is not null and has few bytes. The other one has the members of the problem and the result,
/// of which there may be many, so that lists need not read them. Unknown members are ignored.
final class JobJson {

  /// The bytes within which the first line ends.
  static final int FIRST_LINE_BYTE_SIZE = 4_096;

  private static final JsonMapper MAPPER = new JsonMapper();

  private static final byte[] NO_DETAILS = {'{', '}'};

  private JobJson() {}

  static byte[] write(Job job) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("id", job.id());
    object.put("owner", job.owner());
    object.put("state", job.state().name());
    put(object, "dataset", job.dataset());
    put(object, "principal", job.principal());
    object.put("createdAt", job.createdAt().toString());
    object.put("heartbeatAt", job.heartbeatAt().toString());
    put(object, "endedAt", job.endedAt());
    put(object, "requestId", job.requestId());
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
    ObjectNode details = MAPPER.createObjectNode();
    if (job.problem() != null) {
      details.set("problem", MAPPER.valueToTree(job.problem()));
    }
    JobResult result = job.result();
    if (result != null) {
      object.put("version", result.version().toString());
      details.set("document", MAPPER.valueToTree(result.document()));
    }
    return (object + "\n" + details).getBytes(StandardCharsets.UTF_8);
  }

  private static void put(ObjectNode object, String name, @Nullable Object value) {
    if (value != null) {
      object.put(name, value.toString());
    }
  }

  /// @throws IllegalArgumentException if `json` is not a job
  static Job read(byte[] json) {
    int end = lineEnd(json);
    return read(json, end, Arrays.copyOfRange(json, end, json.length));
  }

  /// Returns a job without the members of its problem and its result.
  ///
  /// @param start of the JSON of a job, with its first line
  /// @throws IllegalArgumentException if `start` is not the start of a job
  static Job readFirstLine(byte[] start) {
    return read(start, lineEnd(start), NO_DETAILS);
  }

  private static int lineEnd(byte[] json) {
    for (int i = 0; i < Math.min(json.length, FIRST_LINE_BYTE_SIZE); i++) {
      if (json[i] == '\n') {
        return i;
      }
    }
    throw new IllegalArgumentException("Expected a job but found no first line of one");
  }

  private static Job read(byte[] json, int length, byte[] more) {
    try {
      JsonNode object = MAPPER.readTree(json, 0, length);
      JsonNode details = MAPPER.readTree(more);
      return new Job(
          text(object, "id"),
          text(object, "owner"),
          JobState.valueOf(text(object, "state")),
          object.has("dataset") ? text(object, "dataset") : null,
          object.has("principal") ? text(object, "principal") : null,
          Instant.parse(text(object, "createdAt")),
          Instant.parse(text(object, "heartbeatAt")),
          object.has("endedAt") ? Instant.parse(text(object, "endedAt")) : null,
          object.path("committing").asBoolean(false),
          new JobProgress(
              object.has("fraction") ? object.path("fraction").doubleValue() : null,
              number(object, "rowsRead"),
              number(object, "rowsTotal")),
          object.has("requestId") ? text(object, "requestId") : null,
          details.has("problem") ? members(details.path("problem")) : null,
          object.has("version")
              ? new JobResult(
                  DatasetReference.parse(text(object, "version")),
                  details.has("document") ? members(details.path("document")) : Map.of())
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
