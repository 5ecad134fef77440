package dev.quiver.golden;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The schema part of the integration JSON.
final class JsonSchema {

  private JsonSchema() {}

  static Schema schema(JsonNode json) {
    return new Schema(
        fields(json.path("fields")), metadata(json.path("metadata")), Endianness.LITTLE, List.of());
  }

  private static List<Field> fields(JsonNode json) {
    List<Field> fields = new ArrayList<>();
    json.forEach(field -> fields.add(field(field)));
    return fields;
  }

  private static Field field(JsonNode json) {
    return new Field(
        json.required("name").asString(),
        json.required("nullable").booleanValue(),
        type(json.required("type")),
        dictionary(json.path("dictionary")),
        fields(json.path("children")),
        metadata(json.path("metadata")));
  }

  private static Metadata metadata(JsonNode json) {
    List<KeyValue> entries = new ArrayList<>();
    json.forEach(entry ->
        entries.add(
            KeyValue.of(
                entry.required("key").stringValue(), entry.required("value").stringValue())));
    return new Metadata(entries);
  }

  private static @Nullable DictionaryEncoding dictionary(JsonNode json) {
    if (json.isMissingNode() || json.isNull()) {
      return null;
    }
    return new DictionaryEncoding(
        json.required("id").longValue(),
        (ArrowType.Int) type(json.required("indexType")),
        json.required("isOrdered").booleanValue());
  }

  private static ArrowType type(JsonNode json) {
    String name = json.required("name").stringValue();
    return switch (name) {
      case "null" -> new ArrowType.Null();
      case "int" ->
          new ArrowType.Int(integer(json, "bitWidth"), json.required("isSigned").booleanValue());
      case "floatingpoint" ->
          new ArrowType.FloatingPoint(Precision.valueOf(text(json, "precision")));
      case "binary" -> new ArrowType.Binary();
      case "utf8" -> new ArrowType.Utf8();
      case "bool" -> new ArrowType.Bool();
      // Cases that predate other widths omit the width.
      case "decimal" ->
          new ArrowType.Decimal(
              integer(json, "precision"), integer(json, "scale"), json.path("bitWidth").asInt(128));
      case "date" -> new ArrowType.Date(DateUnit.valueOf(text(json, "unit")));
      case "time" -> new ArrowType.Time(unit(json), integer(json, "bitWidth"));
      case "timestamp" ->
          new ArrowType.Timestamp(unit(json), json.path("timezone").stringValue(null));
      case "interval" -> new ArrowType.Interval(IntervalUnit.valueOf(text(json, "unit")));
      case "list" -> new ArrowType.List();
      case "struct" -> new ArrowType.Struct();
      case "union" -> {
        List<Integer> typeIds = new ArrayList<>();
        json.required("typeIds").forEach(typeId -> typeIds.add(typeId.intValue()));
        yield new ArrowType.Union(UnionMode.valueOf(text(json, "mode")), typeIds);
      }
      case "fixedsizebinary" -> new ArrowType.FixedSizeBinary(integer(json, "byteWidth"));
      case "fixedsizelist" -> new ArrowType.FixedSizeList(integer(json, "listSize"));
      case "map" -> new ArrowType.Map(json.required("keysSorted").booleanValue());
      case "duration" -> new ArrowType.Duration(unit(json));
      case "largebinary" -> new ArrowType.LargeBinary();
      case "largeutf8" -> new ArrowType.LargeUtf8();
      case "largelist" -> new ArrowType.LargeList();
      case "runendencoded" -> new ArrowType.RunEndEncoded();
      case "binaryview" -> new ArrowType.BinaryView();
      case "utf8view" -> new ArrowType.Utf8View();
      case "listview" -> new ArrowType.ListView();
      case "largelistview" -> new ArrowType.LargeListView();
      default -> throw new IllegalArgumentException("Expected a type but found " + json);
    };
  }

  private static TimeUnit unit(JsonNode json) {
    return TimeUnit.valueOf(text(json, "unit"));
  }

  private static String text(JsonNode json, String name) {
    return json.required(name).stringValue();
  }

  private static int integer(JsonNode json, String name) {
    return json.required(name).intValue();
  }
}
