package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_DICTIONARY_KIND;
import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_ID;
import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_INDEX_TYPE;
import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_IS_ORDERED;
import static dev.quiver.arrow.metadata.VtableSlots.FIELD_CHILDREN;
import static dev.quiver.arrow.metadata.VtableSlots.FIELD_CUSTOM_METADATA;
import static dev.quiver.arrow.metadata.VtableSlots.FIELD_DICTIONARY;
import static dev.quiver.arrow.metadata.VtableSlots.FIELD_NAME;
import static dev.quiver.arrow.metadata.VtableSlots.FIELD_NULLABLE;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of table `Field` of Schema.fbs and its children. One reader counts the fields of one
/// schema.
final class FieldReader {

  private static final ArrowType.Int DEFAULT_INDEX_TYPE = new ArrowType.Int(32, true);

  private final Limits limits;
  private @Nullable FieldPath path;
  private int level;
  private long fieldCount;

  FieldReader(Limits limits) {
    this.limits = limits;
  }

  /// Returns the fields of a schema, or the children of the current field.
  List<Field> readAll(FlatVector tables) {
    fieldCount += tables.length();
    limits.fields().check(fieldCount, "fields in a schema", tables.place());
    if (tables.length() > 0) {
      limits.depth().check(level + 1, "levels of fields", tables.place());
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < tables.length(); i++) {
      fields.add(read(tables.table(i)));
    }
    return fields;
  }

  private Field read(FlatTable table) {
    String given = table.text(FIELD_NAME);
    String name = given == null ? "" : given;
    FieldPath parent = path;
    FieldPath own = new FieldPath(parent, name);
    path = own;
    level++;
    try {
      return readNamed(table, name);
    } catch (InputException e) {
      // The innermost field determines the location.
      throw e.place().field() == null ? e.within(InputLocation.field(own.toString())) : e;
    } finally {
      path = parent;
      level--;
    }
  }

  private Field readNamed(FlatTable table, String name) {
    ArrowType type = TypeReader.read(table);
    FlatVector childTables = table.tables(FIELD_CHILDREN);
    int needed = Layout.of(type).childCount();
    if (needed != Layout.ANY_CHILDREN && childTables.length() != needed) {
      throw table.malformed(FIELD_CHILDREN, childCount(needed, type), childTables.length());
    }
    FlatTable dictionary = table.table(FIELD_DICTIONARY);
    Field field =
        new Field(
            name,
            table.flag(FIELD_NULLABLE),
            type,
            dictionary == null ? null : dictionaryEncoding(dictionary),
            readAll(childTables),
            KeyValueReader.readAll(table.tables(FIELD_CUSTOM_METADATA)));
    if (type instanceof ArrowType.Map) {
      requireEntries(table, field.children().getFirst());
    } else if (type instanceof ArrowType.RunEndEncoded) {
      requireRunEnds(table, field.children().getFirst());
    }
    return field;
  }

  private static DictionaryEncoding dictionaryEncoding(FlatTable table) {
    long kind = table.number(DICTIONARY_ENCODING_DICTIONARY_KIND);
    if (kind != 0) {
      throw table.unsupported(DICTIONARY_ENCODING_DICTIONARY_KIND, "0 (DenseArray)", kind);
    }
    FlatTable indexType = table.table(DICTIONARY_ENCODING_INDEX_TYPE);
    return new DictionaryEncoding(
        table.number(DICTIONARY_ENCODING_ID),
        indexType == null ? DEFAULT_INDEX_TYPE : TypeReader.readInt(indexType),
        table.flag(DICTIONARY_ENCODING_IS_ORDERED));
  }

  private static String childCount(int needed, ArrowType type) {
    return (needed == 1 ? "1 child" : needed + " children") + " of " + type;
  }

  /// Checks types only: the format prescribes names and nullability as well, but writers deviate.
  private static void requireEntries(FlatTable table, Field entries) {
    if (!(entries.type() instanceof ArrowType.Struct)
        || entries.children().size() != 2
        || entries.dictionary() != null) {
      throw table.malformed(
          FIELD_CHILDREN, "a struct of a key and a value", entries.describeType());
    }
  }

  private static void requireRunEnds(FlatTable table, Field runEnds) {
    boolean fits =
        runEnds.type() instanceof ArrowType.Int(int bitWidth, boolean signed)
            && signed
            && bitWidth >= 16;
    if (!fits || runEnds.dictionary() != null) {
      throw table.malformed(
          FIELD_CHILDREN, "run ends of int16, int32 or int64", runEnds.describeType());
    }
  }
}
