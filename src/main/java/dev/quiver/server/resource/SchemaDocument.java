package dev.quiver.server.resource;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.http.PublicPath;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/// A schema as JSON, in the vocabulary of the format's integration tests. Each type is also given
/// in readable form.
///
/// @param metadata the entries in order, with duplicate keys; invalid UTF-8 becomes U+FFFD
public record SchemaDocument(
    String dataset,
    long version,
    List<Field> fields,
    List<Entry> metadata,
    @JsonSerialize(contentUsing = PublicPath.Serializer.class) Map<String, String> links) {

  /// A field, whose members are computed while the document is rendered: together they are far
  /// larger than the schema.
  @JsonPropertyOrder({
    "name",
    "nullable",
    "type",
    "arrowType",
    "dictionary",
    "children",
    "metadata"
  })
  public record Field(@JsonIgnore dev.quiver.arrow.type.Field field) {

    @JsonProperty
    public String name() {
      return field.name();
    }

    @JsonProperty
    public boolean nullable() {
      return field.nullable();
    }

    @JsonProperty
    public Map<String, Object> type() {
      return parameters(field.type());
    }

    /// Returns the type with its children, such as `list<item: int32>`.
    @JsonProperty
    public String arrowType() {
      return field.describeType();
    }

    @JsonProperty
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public @Nullable Dictionary dictionary() {
      return Dictionary.of(field.dictionary());
    }

    @JsonProperty
    public List<Field> children() {
      return field.children().stream().map(Field::new).toList();
    }

    @JsonProperty
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public List<Entry> metadata() {
      return entries(field.metadata());
    }
  }

  public record Dictionary(long id, Map<String, Object> indexType, boolean isOrdered) {

    static @Nullable Dictionary of(@Nullable DictionaryEncoding encoding) {
      return encoding == null
          ? null
          : new Dictionary(encoding.id(), parameters(encoding.indexType()), encoding.ordered());
    }
  }

  public record Entry(String key, String value) {}

  public static SchemaDocument of(Snapshot snapshot) throws IOException {
    VersionSummary summary = snapshot.summary();
    Schema schema = snapshot.schema();
    return new SchemaDocument(
        summary.name().value(),
        summary.version(),
        schema.fields().stream().map(Field::new).toList(),
        entries(schema.metadata()),
        Documents.links(summary));
  }

  private static List<Entry> entries(Metadata metadata) {
    return metadata.entries().stream()
        .map(entry -> new Entry(entry.key(), entry.value().toString()))
        .toList();
  }

  private static Map<String, Object> parameters(ArrowType type) {
    return switch (type) {
      case ArrowType.Null() -> named("null");
      case ArrowType.Int(int bitWidth, boolean signed) ->
          named("int", "bitWidth", bitWidth, "isSigned", signed);
      case ArrowType.FloatingPoint(var precision) ->
          named("floatingpoint", "precision", precision.name());
      case ArrowType.Binary() -> named("binary");
      case ArrowType.Utf8() -> named("utf8");
      case ArrowType.Bool() -> named("bool");
      case ArrowType.Decimal(int precision, int scale, int bitWidth) ->
          named("decimal", "precision", precision, "scale", scale, "bitWidth", bitWidth);
      case ArrowType.Date(var unit) -> named("date", "unit", unit.name());
      case ArrowType.Time(var unit, int bitWidth) ->
          named("time", "unit", unit.name(), "bitWidth", bitWidth);
      case ArrowType.Timestamp(var unit, var timezone) ->
          timezone == null
              ? named("timestamp", "unit", unit.name())
              : named("timestamp", "unit", unit.name(), "timezone", timezone);
      case ArrowType.Interval(var unit) -> named("interval", "unit", unit.name());
      case ArrowType.List() -> named("list");
      case ArrowType.Struct() -> named("struct");
      case ArrowType.Union(var mode, var typeIds) ->
          named("union", "mode", mode.name(), "typeIds", typeIds);
      case ArrowType.FixedSizeBinary(int byteWidth) ->
          named("fixedsizebinary", "byteWidth", byteWidth);
      case ArrowType.FixedSizeList(int listSize) -> named("fixedsizelist", "listSize", listSize);
      case ArrowType.Map(boolean keysSorted) -> named("map", "keysSorted", keysSorted);
      case ArrowType.Duration(var unit) -> named("duration", "unit", unit.name());
      case ArrowType.LargeBinary() -> named("largebinary");
      case ArrowType.LargeUtf8() -> named("largeutf8");
      case ArrowType.LargeList() -> named("largelist");
      case ArrowType.RunEndEncoded() -> named("runendencoded");
      case ArrowType.BinaryView() -> named("binaryview");
      case ArrowType.Utf8View() -> named("utf8view");
      case ArrowType.ListView() -> named("listview");
      case ArrowType.LargeListView() -> named("largelistview");
    };
  }

  private static Map<String, Object> named(String name, Object... parameters) {
    Map<String, Object> type = new LinkedHashMap<>();
    type.put("name", name);
    for (int i = 0; i < parameters.length; i += 2) {
      type.put((String) parameters[i], parameters[i + 1]);
    }
    return type;
  }
}
