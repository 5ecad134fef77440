package dev.quiver.formats.parquet;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.ArrowType.Decimal;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.formats.ForeignDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The columns of a schema as the engine reads them to write a Parquet file: types that hold the
/// same values, and that it writes without a loss.
///
/// Parquet has no durations, which become integers. Lists of one size become other lists: of nulls
/// among them, the engine writes values that readers reject. Of extension types, the engine knows
/// the types that Parquet knows, too; other types are their stored types.
final class StorableTypes {

  private static final int DECIMAL_DIGITS_MAXIMUM = 38;

  private static final Set<String> KNOWN_EXTENSIONS = Set.of("arrow.uuid", "arrow.json");

  private StorableTypes() {}

  /// @throws UnrepresentableTypeException if Parquet has no type for a column
  static Schema of(Schema schema) {
    if (schema.fields().isEmpty()) {
      throw new UnrepresentableTypeException(
          "Expected at least one column, as Parquet does, but found none", "", "");
    }
    List<Field> fields = new ArrayList<>();
    for (Field field : schema.fields()) {
      fields.add(of(field, field.name()));
    }
    return schema.withFields(fields).withMetadata(Metadata.EMPTY);
  }

  /// @param path the names from the column to the field
  private static Field of(Field field, String path) {
    if (field.name().indexOf('\0') >= 0) {
      throw unrepresentable(field, path, "a name without the character 0");
    }
    ArrowType type =
        switch (field.type()) {
          case ArrowType.Duration _ -> new ArrowType.Int(64, true);
          case ArrowType.Interval _, ArrowType.Union _ ->
              throw unrepresentable(field, path, "a type that Parquet has");
          case Decimal(int precision, int scale, _)
              when precision > DECIMAL_DIGITS_MAXIMUM || scale > DECIMAL_DIGITS_MAXIMUM ->
              throw unrepresentable(
                  field, path, "decimals of at most %d digits".formatted(DECIMAL_DIGITS_MAXIMUM));
          case Decimal(_, int scale, _) when scale < 0 ->
              throw unrepresentable(field, path, "decimals with a scale of 0 or more");
          case ArrowType.FixedSizeList _ -> new ArrowType.LargeList();
          case ArrowType.Struct() -> {
            requireNames(field, path);
            yield field.type();
          }
          default -> field.type();
        };
    List<Field> children = new ArrayList<>();
    for (Field child : field.children()) {
      children.add(of(child, path + "." + child.name()));
    }
    return new Field(
        field.name(), field.nullable(), type, field.dictionary(), children, extension(field));
  }

  private static void requireNames(Field field, String path) {
    ColumnNames names = new ColumnNames();
    boolean distinct =
        field.children().stream()
            .allMatch(
                child -> !child.name().isEmpty() && names.next(child.name()).equals(child.name()));
    if (field.children().isEmpty() || !distinct) {
      throw unrepresentable(field, path, "children with names that differ in more than case");
    }
  }

  /// Returns the metadata of an extension type that the engine writes as such.
  private static Metadata extension(Field field) {
    String name = field.extensionName();
    return name != null && KNOWN_EXTENSIONS.contains(name)
        ? Metadata.of(KeyValue.of(Field.EXTENSION_NAME, name))
        : Metadata.EMPTY;
  }

  private static UnrepresentableTypeException unrepresentable(
      Field field, String path, String expected) {
    String type = ForeignDataException.excerpt(field.describeType());
    return new UnrepresentableTypeException(
        "Expected %s but found type %s in column %s; the parameter columns leaves a column out"
            .formatted(expected, type, ForeignDataException.excerpt(path)),
        ForeignDataException.excerpt(path),
        type);
  }
}
