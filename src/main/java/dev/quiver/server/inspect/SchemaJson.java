package dev.quiver.server.inspect;

import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// A writer of schemas as JSON.
final class SchemaJson {

  private SchemaJson() {}

  /// Writes the members of a schema into an open object.
  static void write(JsonGenerator json, Schema schema) {
    json.writeStringProperty("endianness", schema.endianness().name());
    json.writeArrayPropertyStart("features");
    for (Feature feature : schema.features()) {
      json.writeString(feature.name());
    }
    json.writeEndArray();
    writeFields(json, "fields", schema.fields());
    writeMetadata(json, "metadata", schema.metadata());
  }

  /// Writes custom metadata as an array, since keys may repeat; omits it if empty. Invalid UTF-8
  /// becomes U+FFFD.
  static void writeMetadata(JsonGenerator json, String name, Metadata metadata) {
    if (metadata.isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart(name);
    for (KeyValue entry : metadata.entries()) {
      json.writeStartObject();
      json.writeStringProperty("key", entry.key());
      json.writeStringProperty("value", entry.value().toString());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeFields(JsonGenerator json, String name, List<Field> fields) {
    json.writeArrayPropertyStart(name);
    for (Field field : fields) {
      json.writeStartObject();
      json.writeStringProperty("name", field.name());
      json.writeStringProperty("type", field.type().toString());
      json.writeBooleanProperty("nullable", field.nullable());
      DictionaryEncoding dictionary = field.dictionary();
      if (dictionary != null) {
        json.writeObjectPropertyStart("dictionary");
        json.writeNumberProperty("id", dictionary.id());
        json.writeStringProperty("indexType", dictionary.indexType().toString());
        json.writeBooleanProperty("ordered", dictionary.ordered());
        json.writeEndObject();
      }
      if (!field.children().isEmpty()) {
        writeFields(json, "children", field.children());
      }
      writeMetadata(json, "metadata", field.metadata());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
