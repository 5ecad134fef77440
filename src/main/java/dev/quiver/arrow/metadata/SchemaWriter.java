package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_CUSTOM_METADATA;
import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_ENDIANNESS;
import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_FEATURES;
import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_FIELDS;

import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Schema;
import java.util.List;

/// A writer of table `Schema` of Schema.fbs.
final class SchemaWriter {

  private SchemaWriter() {}

  static int write(FlatWriter writer, Schema schema) {
    int fields = FieldWriter.writeAll(writer, schema.fields());
    int metadata = KeyValueWriter.writeAll(writer, schema.metadata());
    int features = writeFeatures(writer, schema.features());
    return writer
        .begin()
        .number(SCHEMA_ENDIANNESS, schema.endianness().ordinal())
        .reference(SCHEMA_FIELDS, fields)
        .reference(SCHEMA_CUSTOM_METADATA, metadata)
        .reference(SCHEMA_FEATURES, features)
        .end();
  }

  private static int writeFeatures(FlatWriter writer, List<Feature> features) {
    return features.isEmpty()
        ? 0
        : writer.int64s(features.stream().map(feature -> (long) feature.ordinal()).toList());
  }
}
