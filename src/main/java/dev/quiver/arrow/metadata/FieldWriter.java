package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A writer of tables `Field` and `DictionaryEncoding` of Schema.fbs.
///
/// Name, children and index type are always written. The format makes them optional, but several
/// readers fail without them.
final class FieldWriter {

  private FieldWriter() {}

  static int writeAll(FlatWriter writer, List<Field> fields) {
    return writer.tables(fields.stream().mapToInt(field -> write(writer, field)).toArray());
  }

  private static int write(FlatWriter writer, Field field) {
    int name = writer.text(field.name());
    int type = TypeWriter.write(writer, field.type());
    int dictionary = writeDictionary(writer, field.dictionary());
    int children = writeAll(writer, field.children());
    int metadata = KeyValueWriter.writeAll(writer, field.metadata());
    return writer
        .begin()
        .reference(FIELD_NAME, name)
        .flag(FIELD_NULLABLE, field.nullable())
        .number(FIELD_TYPE_TYPE, TypeCode.of(field.type()).ordinal())
        .reference(FIELD_TYPE, type)
        .reference(FIELD_DICTIONARY, dictionary)
        .reference(FIELD_CHILDREN, children)
        .reference(FIELD_CUSTOM_METADATA, metadata)
        .end();
  }

  private static int writeDictionary(FlatWriter writer, @Nullable DictionaryEncoding encoding) {
    if (encoding == null) {
      return 0;
    }
    int indexType = TypeWriter.write(writer, encoding.indexType());
    return writer
        .begin()
        .number(DICTIONARY_ENCODING_ID, encoding.id())
        .reference(DICTIONARY_ENCODING_INDEX_TYPE, indexType)
        .flag(DICTIONARY_ENCODING_IS_ORDERED, encoding.ordered())
        .end();
  }
}
