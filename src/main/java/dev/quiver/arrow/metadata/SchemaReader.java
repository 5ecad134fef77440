package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_CUSTOM_METADATA;
import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_ENDIANNESS;
import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_FEATURES;
import static dev.quiver.arrow.metadata.VtableSlots.SCHEMA_FIELDS;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// A reader of table `Schema` of Schema.fbs.
final class SchemaReader {

  private SchemaReader() {}

  static Schema read(FlatTable table, Limits limits) {
    List<Field> fields = new FieldReader(limits).readAll(table.tables(SCHEMA_FIELDS));
    DictionaryIds.check(fields);
    return new Schema(
        fields,
        KeyValueReader.readAll(table.tables(SCHEMA_CUSTOM_METADATA)),
        table.constant(SCHEMA_ENDIANNESS, Endianness.values()),
        readFeatures(table.elements(SCHEMA_FEATURES, Long.BYTES)));
  }

  /// Reads the features. Unknown ones are rejected because they may change the meaning of
  /// everything else.
  private static List<Feature> readFeatures(FlatVector codes) {
    Feature[] known = Feature.values();
    List<Feature> features = new ArrayList<>();
    for (int i = 0; i < codes.length(); i++) {
      long code = codes.int64(i, 0);
      if (code < 0 || code >= known.length) {
        throw new UnsupportedInputException(
            "a feature of 0 to " + (known.length - 1), Long.toString(code), codes.place(i, ""));
      }
      features.add(known[(int) code]);
    }
    return features;
  }
}
