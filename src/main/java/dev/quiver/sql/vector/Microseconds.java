package dev.quiver.sql.vector;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// A mark on fields with timestamps in nanoseconds with a zone, all of whose values are whole
/// microseconds. They are TIMESTAMPTZ, for which the engine has functions, and not TIMESTAMPTZ_NS.
///
/// The mark is an extension type that is never stored. A marked field with another value is a
/// conversion error when it is read.
public final class Microseconds {

  private static final String EXTENSION = "QUIVER:microseconds";

  private Microseconds() {}

  /// Returns a schema whose columns are marked at any depth.
  ///
  /// @param columns the indices of the columns; others stay as they are
  public static Schema marked(Schema schema, int[] columns) {
    List<Field> fields = new ArrayList<>(schema.fields());
    for (int column : columns) {
      fields.set(column, marked(fields.get(column)));
    }
    return schema.withFields(fields);
  }

  private static Field marked(Field field) {
    return new Field(
        field.name(),
        field.nullable(),
        field.type(),
        field.dictionary(),
        field.children().stream().map(Microseconds::marked).toList(),
        isZonedNanoseconds(field)
            ? Metadata.of(KeyValue.of(Field.EXTENSION_NAME, EXTENSION))
            : field.metadata());
  }

  static boolean isMarked(Field field) {
    return isZonedNanoseconds(field) && field.isExtension(EXTENSION);
  }

  private static boolean isZonedNanoseconds(Field field) {
    return field.type() instanceof ArrowType.Timestamp type && type.isZonedNanoseconds();
  }
}
