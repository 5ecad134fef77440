package dev.quiver.store.version;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.validate.Level;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The properties of a version that are known without opening its data.
///
/// They are stored as JSON: an object with a member for each component and for each component of
/// `file`, and `source` as a nested object. Unknown members are ignored.
///
/// @param version the number of the version, counted from 1 per name; never reused
/// @param commitId random; the basis of entity tags
/// @param firstVersion the version that created the dataset; earlier ones belong to a deleted
///   dataset
/// @param committedAt the time of the commit, to the millisecond
/// @param source the last imported file, whether by this version or an earlier one; null if no file
///   was imported
/// @param expiresAt when the version ends, to the millisecond; null if it has no end
public record VersionSummary(
    DatasetName name,
    long version,
    String commitId,
    VersionKind kind,
    long firstVersion,
    Instant committedAt,
    StoredFile file,
    @Nullable ImportSource source,
    @Nullable Instant expiresAt) {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String LZ4 = "LZ4_FRAME";
  private static final String ZSTD = "ZSTD";

  public VersionSummary {
    committedAt = committedAt.truncatedTo(ChronoUnit.MILLIS);
    expiresAt = expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MILLIS);
  }

  /// A version without an end.
  public VersionSummary(
      DatasetName name,
      long version,
      String commitId,
      VersionKind kind,
      long firstVersion,
      Instant committedAt,
      StoredFile file,
      @Nullable ImportSource source) {
    this(name, version, commitId, kind, firstVersion, committedAt, file, source, null);
  }

  /// Returns what is known of a version whose manifest is damaged.
  public static VersionSummary damaged(DatasetName name, long version) {
    return new VersionSummary(
        name, version, "", VersionKind.DAMAGED, 1, Instant.EPOCH, StoredFile.NONE, null);
  }

  /// Returns the reference to this version, such as `cities@3`.
  public DatasetReference reference() {
    return new DatasetReference(name, version);
  }

  /// Returns whether the version has ended. A dataset whose latest version has ended is as good as
  /// deleted.
  public boolean hasExpired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }

  /// Returns a text that identifies this version in any store: `<commit id>.<version>`.
  public String id() {
    return commitId + "." + version;
  }

  /// Returns this as JSON.
  public byte[] write() {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("name", name.value());
    object.put("version", version);
    object.put("commitId", commitId);
    object.put("kind", kind.name());
    object.put("firstVersion", firstVersion);
    object.put("committedAt", committedAt.toString());
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
    if (expiresAt != null) {
      object.put("expiresAt", expiresAt.toString());
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
