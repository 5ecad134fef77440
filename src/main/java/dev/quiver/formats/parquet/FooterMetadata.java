package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The metadata of a schema as keys of a footer, and back.
///
/// Writers state it twice: as keys of the footer, and in the stated schema. Tools that change the
/// footer may leave the schema as it was, so the footer prevails.
final class FooterMetadata {

  private FooterMetadata() {}

  /// Returns the metadata of a schema without the schemas of a file, which readers take for schemas
  /// of the data.
  static Metadata withoutSchemas(Metadata metadata) {
    return new Metadata(
        metadata.entries().stream()
            .filter(entry -> !entry.key().equals(StatedSchema.KEY))
            .filter(entry -> !entry.key().equals(StatedSchema.EXACT_KEY))
            .toList());
  }

  /// Returns the metadata of a stated schema with the keys that it lacks, and with the values of
  /// the keys that have another first value in the footer.
  static Metadata merged(Metadata stated, Metadata footer) {
    Map<String, ByteString> statedValues = firstValues(stated);
    Map<String, ByteString> footerValues = firstValues(footer);
    Set<String> changed = new HashSet<>();
    footerValues.forEach((key, value) -> {
      if (!Objects.equals(value, statedValues.get(key))) {
        changed.add(key);
      }
    });
    List<KeyValue> merged = new ArrayList<>();
    stated.entries().stream().filter(entry -> !changed.contains(entry.key())).forEach(merged::add);
    footer.entries().stream().filter(entry -> changed.contains(entry.key())).forEach(merged::add);
    return withoutSchemas(new Metadata(merged));
  }

  /// Returns the metadata of a file with some columns, without schemas, and without keys that
  /// describe other columns.
  ///
  /// @param names of the columns
  /// @param isPart whether the columns are others than those of the dataset, at any depth
  static Metadata of(Metadata metadata, Set<String> names, boolean isPart) {
    return new Metadata(
        withoutSchemas(metadata).entries().stream()
            .filter(entry -> {
              DescribedColumns described = DescribedColumns.of(entry.key());
              return described == null
                  || !(isPart && described.isWhole()) && described.areRight(entry.value(), names);
            })
            .toList());
  }

  /// Returns the entries that the engine writes as keys. It takes them for names in SQL: of those
  /// that differ in case alone the first one counts, and an empty one or one with the character 0
  /// does not.
  static List<KeyValue> keys(Metadata metadata) {
    ColumnNames names = new ColumnNames();
    names.next(StatedSchema.KEY);
    names.next(StatedSchema.EXACT_KEY);
    List<KeyValue> keys = new ArrayList<>();
    for (KeyValue entry : metadata.entries()) {
      String key = entry.key();
      if (!key.isEmpty() && key.indexOf('\0') < 0 && names.next(key).equals(key)) {
        keys.add(entry);
      }
    }
    return keys;
  }

  /// Returns the bytes of the metadata of a schema and of its fields.
  static long byteSize(Schema schema) {
    return byteSize(schema.metadata()) + byteSize(schema.fields());
  }

  private static long byteSize(List<Field> fields) {
    long byteSize = 0;
    for (Field field : fields) {
      byteSize += byteSize(field.metadata()) + byteSize(field.children());
    }
    return byteSize;
  }

  private static long byteSize(Metadata metadata) {
    return metadata.entries().stream()
        .mapToLong(entry -> (long) entry.key().length() + entry.value().byteSize())
        .sum();
  }

  private static Map<String, ByteString> firstValues(Metadata metadata) {
    Map<String, ByteString> values = new HashMap<>();
    metadata.entries().forEach(entry -> values.putIfAbsent(entry.key(), entry.value()));
    return values;
  }
}
