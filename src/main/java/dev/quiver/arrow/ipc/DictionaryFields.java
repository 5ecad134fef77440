package dev.quiver.arrow.ipc;

import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The dictionaries that a schema needs: one field of the values' type per id.
///
/// A dictionary with dictionary-encoded values follows those it needs, which is the order that all
/// readers accept. See the columnar specification, *Dictionary messages*.
public final class DictionaryFields {

  private final Map<Long, Field> valuesById;

  private DictionaryFields(Map<Long, Field> valuesById) {
    this.valuesById = Collections.unmodifiableMap(valuesById);
  }

  public static DictionaryFields of(Schema schema) {
    Map<Long, Field> valuesById = new LinkedHashMap<>();
    collect(schema.fields(), valuesById);
    return new DictionaryFields(valuesById);
  }

  /// Returns the fields of the values by dictionary id, inner dictionaries first.
  public Map<Long, Field> byId() {
    return valuesById;
  }

  /// Returns the field of this dictionary's values, or null if no field of the schema uses it.
  public @Nullable Field values(long id) {
    return valuesById.get(id);
  }

  private static void collect(List<Field> fields, Map<Long, Field> valuesById) {
    for (Field field : fields) {
      collect(field.children(), valuesById);
      DictionaryEncoding encoding = field.dictionary();
      if (encoding != null) {
        valuesById.putIfAbsent(
            encoding.id(), field.withDictionary(null).withMetadata(Metadata.EMPTY));
      }
    }
  }
}
