package dev.quiver.store.version;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.validate.Level;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The summary of a version as JSON: an object with a member for each component of [VersionSummary]
/// and of its [StoredFile], and `source` as a nested object. Unknown members are ignored.
public final class SummaryJson {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String LZ4 = "LZ4_FRAME";
  private static final String ZSTD = "ZSTD";

  private SummaryJson() {}

  public static byte[] write(VersionSummary summary) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("name", summary.name().value());
    object.put("version", summary.version());
    object.put("commitId", summary.commitId());
    object.put("kind", summary.kind().name());
    object.put("firstVersion", summary.firstVersion());
    object.put("committedAt", summary.committedAt().toString());
    StoredFile file = summary.file();
    object.put("rows", file.rows());
    object.put("batches", file.batches());
    object.put("byteSize", file.byteSize());
    switch (file.codec()) {
      case NONE -> {}
      case LZ4 -> object.put("codec", LZ4);
      case ZSTD -> object.put("codec", ZSTD);
    }
    object.put("mixedCodecs", file.mixedCodecs());
    object.put("level", file.level().name());
    object.put("schemaMetaDataLength", file.schemaMetaDataLength());
    object.put("footerOffset", file.footerOffset());
    object.put("footerLength", file.footerLength());
    ImportSource source = summary.source();
    if (summary.expiresAt() != null) {
      object.put("expiresAt", summary.expiresAt().toString());
    }
    if (source != null) {
      write(source, object.putObject("source"));
    }
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }

  /// Stores of earlier builds call a compaction a merge.
  private static VersionKind kind(String name) {
    return name.equals("MERGE") ? VersionKind.COMPACTION : VersionKind.valueOf(name);
  }

  /// @throws IllegalArgumentException if `json` is not a summary
  public static VersionSummary read(byte[] json) {
    JsonNode object;
    try {
      object = MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("Expected a summary but found invalid JSON", e);
    }
    return new VersionSummary(
        new DatasetName(text(object, "name")),
        number(object, "version"),
        text(object, "commitId"),
        kind(text(object, "kind")),
        number(object, "firstVersion"),
        Instant.parse(text(object, "committedAt")),
        file(object),
        object.has("source") ? source(object.path("source")) : null,
        object.has("expiresAt") ? Instant.parse(text(object, "expiresAt")) : null);
  }

  private static StoredFile file(JsonNode object) {
    return new StoredFile(
        number(object, "rows"),
        number(object, "batches"),
        number(object, "byteSize"),
        codec(object),
        // Without the member it is unknown, and codecs may be mixed.
        object.path("mixedCodecs").asBoolean(true),
        Level.valueOf(text(object, "level")),
        Math.toIntExact(number(object, "schemaMetaDataLength")),
        number(object, "footerOffset"),
        Math.toIntExact(number(object, "footerLength")));
  }

  private static void write(ImportSource source, ObjectNode object) {
    object.put("path", source.file().path());
    object.put("byteSize", source.file().byteSize());
    object.put("modifiedAt", source.file().modifiedAt().toString());
    object.put("version", source.version());
    if (source.linkedAs() != null) {
      object.put("linkedAs", source.linkedAs());
    }
  }

  private static ImportSource source(JsonNode object) {
    return new ImportSource(
        new SourceFile(
            text(object, "path"),
            number(object, "byteSize"),
            Instant.parse(text(object, "modifiedAt"))),
        number(object, "version"),
        object.has("linkedAs") ? text(object, "linkedAs") : null);
  }

  private static Codec codec(JsonNode object) {
    if (!object.has("codec")) {
      return Codec.NONE;
    }
    String codec = text(object, "codec");
    return switch (codec) {
      case LZ4 -> Codec.LZ4;
      case ZSTD -> Codec.ZSTD;
      default ->
          throw new IllegalArgumentException(
              "Expected LZ4_FRAME or ZSTD but found " + codec + " at codec");
    };
  }

  private static String text(JsonNode object, String name) {
    JsonNode member = object.path(name);
    if (!member.isString()) {
      throw new IllegalArgumentException("Expected text but found " + member + " at " + name);
    }
    return member.stringValue();
  }

  private static long number(JsonNode object, String name) {
    JsonNode member = object.path(name);
    if (!member.isIntegralNumber() || !member.canConvertToLong() || member.longValue() < 0) {
      throw new IllegalArgumentException(
          "Expected a number from 0 but found " + member + " at " + name);
    }
    return member.longValue();
  }
}
