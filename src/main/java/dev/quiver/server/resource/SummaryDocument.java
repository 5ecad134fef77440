package dev.quiver.server.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.PublicPath;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/// A version in one small document, whose size does not grow with the number of columns.
///
/// @param dictionaries the number of dictionaries
/// @param columnCount the number of columns
/// @param columns the first columns, as far as they fit
/// @param representations the rows in each media type
public record SummaryDocument(
    String name,
    long version,
    String kind,
    String etag,
    long rows,
    long batches,
    int dictionaries,
    long bytes,
    @Nullable String codec,
    String modified,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String expires,
    int columnCount,
    List<Column> columns,
    List<RepresentationLink> representations,
    @JsonSerialize(contentUsing = PublicPath.Serializer.class) Map<String, String> links) {

  private static final int COLUMN_COUNT = 100;

  /// The characters of all names and types together.
  private static final int TEXT_LENGTH = 16_384;

  /// The characters of a type, after which it is cut.
  private static final int TYPE_LENGTH = 200;

  /// A column, with its type as text such as `int64`.
  public record Column(String name, String type, boolean nullable) {}

  /// The rows in a media type.
  public record RepresentationLink(
      @JsonSerialize(using = PublicPath.Serializer.class) String href, String type) {}

  public static SummaryDocument of(Snapshot snapshot) throws IOException {
    VersionSummary summary = snapshot.summary();
    Schema schema = snapshot.schema();
    String pinned = DatasetPath.pinned(summary);
    return new SummaryDocument(
        summary.name().value(),
        summary.version(),
        Documents.word(summary.kind()),
        EntityTag.of(summary.id()).toString(),
        summary.file().rows(),
        summary.file().batches(),
        snapshot.footer().dictionaries().size(),
        summary.file().byteSize(),
        Documents.codecName(summary.file().codec()),
        summary.committedAt().toString(),
        summary.expiresAt() == null ? null : summary.expiresAt().toString(),
        schema.fields().size(),
        columns(schema),
        Format.SUFFIXED.stream()
            .map(format -> new RepresentationLink(pinned + format.suffix(), format.mediaType()))
            .toList(),
        Documents.links(summary));
  }

  /// Returns the first columns. A name is whole, so that it can be selected: the list ends before
  /// one that does not fit.
  private static List<Column> columns(Schema schema) {
    List<Column> columns = new ArrayList<>();
    int length = 0;
    for (Field field : schema.fields().subList(0, Math.min(COLUMN_COUNT, schema.fields().size()))) {
      String type = Excerpt.of(field.describeType(), TYPE_LENGTH);
      length += field.name().length() + type.length();
      if (length > TEXT_LENGTH) {
        break;
      }
      columns.add(new Column(field.name(), type, field.nullable()));
    }
    return columns;
  }
}
