package dev.quiver.server.sql;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.write.SqlRequest;
import dev.quiver.sql.query.Query;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.version.VersionSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The identity of a result: the statement, its parameters, and the versions that it reads.
record SqlResult(SqlRequest sql, Query query, Format format, ResultOptions options) {

  /// The length of a tag, which no two statements share by accident.
  private static final int TAG_BYTE_SIZE = 18;

  /// Returns the versions that the statement reads, such as `flights@3, sample@1`.
  String versions() {
    return query.versions().values().stream()
        .map(version -> version.name().value() + "@" + version.version())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /// Returns when the first of the versions ends that the statement reads, or null if none does.
  @Nullable Instant expiresAt() {
    return query.versions().values().stream()
        .map(VersionSummary::expiresAt)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /// Returns the tag of the result, or null if the next result may be another one.
  ///
  /// It is weak: sums of several threads differ in their last digit, and the order of rows may.
  @Nullable EntityTag tag() {
    if (!query.isRepeatable()) {
      return null;
    }
    List<String> parts = new ArrayList<>(List.of(sql.sql(), query.engineVersion()));
    for (Parameter parameter : sql.parameters()) {
      parts.addAll(List.of(parameter.name(), parameter.type().name(), parameter.text()));
    }
    // The end of the parameters, which none of their names is.
    parts.add("\n");
    query.versions().forEach((name, version) -> parts.addAll(List.of(name, id(version))));
    parts.addAll(List.of(format.suffix(), options.toString()));
    // Lengths keep the parts apart.
    String identity =
        parts.stream().map(part -> part.length() + ":" + part).collect(Collectors.joining());
    byte[] digest = Sha256.digest(identity);
    String id =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(Arrays.copyOf(digest, TAG_BYTE_SIZE));
    return new EntityTag(true, id).with(TagVariant.result());
  }

  private static String id(VersionSummary version) {
    return version.id();
  }
}
