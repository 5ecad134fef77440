package dev.quiver.formats.parquet;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.ArrowType.Decimal;
import dev.quiver.arrow.type.ArrowType.FixedSizeBinary;
import dev.quiver.arrow.type.ArrowType.FixedSizeList;
import dev.quiver.arrow.type.ArrowType.FloatingPoint;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.ColumnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The columns of a schema in the types that readers can restore from the columns of a Parquet
/// file.
///
/// A reader such as polars fails if a file states a type of another physical form than its column
/// has. So a type that Parquet or the engine lacks is stated as the one that is written for it.
/// Nothing is said of the order of a dictionary's values, which is the order of first appearance.
/// All columns of the file may have nulls.
final class RestorableTypes {

  private static final int DECIMAL_BIT_WIDTH = 128;
  private static final String EXTENSION_PREFIX = "ARROW:extension:";

  /// The columns that are lists of one size without a null, or texts of a dictionary without
  /// anything else. Readers fail for nulls among such lists, and polars for a dictionary that the
  /// column of a file lacks, as one of nulls does.
  private final Set<Integer> uniformColumns;

  private long dictionaryCount;

  private RestorableTypes(Set<Integer> uniformColumns) {
    this.uniformColumns = uniformColumns;
  }

  /// @param uniformColumns the indices of columns that are lists of one size without a null, or
  ///   texts of a dictionary without anything else
  static Schema of(Schema schema, Set<Integer> uniformColumns) {
    RestorableTypes types = new RestorableTypes(uniformColumns);
    ColumnNames names = new ColumnNames();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      Field field = schema.fields().get(i);
      String name = names.next(ColumnNames.ofColumn(i, field.name()));
      fields.add(types.column(i, field).withName(name));
    }
    return schema.withFields(fields);
  }

  private Field column(int index, Field field) {
    if (!uniformColumns.contains(index)) {
      return of(field);
    }
    return field.dictionary() == null ? with(field, field.type()) : of(field.withDictionary(null));
  }

  private Field of(Field field) {
    return switch (field.type()) {
      case ArrowType.RunEndEncoded() -> {
        Field values = of(field.children().getLast());
        yield new Field(
            field.name(),
            /* nullable= */ true,
            values.type(),
            values.dictionary(),
            values.children(),
            withoutExtension(field.metadata()));
      }
      case FloatingPoint(Precision precision) when precision == Precision.HALF ->
          with(field, new FloatingPoint(Precision.SINGLE));
      case Decimal(int precision, int scale, _) ->
          with(field, new Decimal(Math.max(precision, scale), scale, DECIMAL_BIT_WIDTH));
      case ArrowType.Date _ -> with(field, new ArrowType.Date(DateUnit.DAY));
      case ArrowType.Time(TimeUnit unit, _) -> {
        TimeUnit written = unit == TimeUnit.NANOSECOND ? unit : TimeUnit.MICROSECOND;
        yield with(field, new ArrowType.Time(written, Long.SIZE));
      }
      case ArrowType.Timestamp(TimeUnit unit, var zone) ->
          with(
              field, new ArrowType.Timestamp(written(unit, zone != null && !zone.isEmpty()), zone));
      case FixedSizeBinary _ when !field.isUuid() -> with(field, new ArrowType.Binary());
      // Readers restore no dictionaries of views, as which polars has its categories.
      case ArrowType.Utf8View() when field.dictionary() != null ->
          with(field, new ArrowType.LargeUtf8());
      case ArrowType.Map _ -> with(field, field.type(), List.of(entries(field)));
      case FixedSizeList _, ArrowType.ListView() -> with(field, new ArrowType.List());
      case ArrowType.LargeListView() -> with(field, new ArrowType.LargeList());
      default -> with(field, field.type());
    };
  }

  /// Returns the unit in which the engine writes timestamps.
  private static TimeUnit written(TimeUnit unit, boolean isZoned) {
    return switch (unit) {
      case SECOND -> TimeUnit.MICROSECOND;
      case MILLISECOND -> isZoned ? TimeUnit.MICROSECOND : TimeUnit.MILLISECOND;
      case MICROSECOND, NANOSECOND -> unit;
    };
  }

  private Field with(Field field, ArrowType type) {
    List<Field> children = new ArrayList<>();
    for (Field child : field.children()) {
      children.add(of(child));
    }
    return with(field, type, children);
  }

  /// Returns the entries of a map. Neither they nor their keys are null.
  private Field entries(Field map) {
    Field entries = map.children().getFirst();
    Field key = of(entries.children().getFirst());
    Field value = of(entries.children().getLast());
    return Field.of(entries.name(), false, entries.type(), required(key), value);
  }

  private static Field required(Field field) {
    return new Field(
        field.name(), false, field.type(), field.dictionary(), field.children(), field.metadata());
  }

  private Field with(Field field, ArrowType type, List<Field> children) {
    DictionaryEncoding encoding = dictionary(field);
    boolean isKept =
        type.equals(field.type())
            && hasTypes(children, field.children())
            && (encoding == null) == (field.dictionary() == null);
    return new Field(
        field.name(),
        /* nullable= */ true,
        type,
        encoding,
        children,
        isKept ? field.metadata() : withoutExtension(field.metadata()));
  }

  private static boolean hasTypes(List<Field> fields, List<Field> others) {
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      Field other = others.get(i);
      if (!field.type().equals(other.type()) || !hasTypes(field.children(), other.children())) {
        return false;
      }
    }
    return true;
  }

  /// Returns an encoding whose number no other one has, for the types that readers encode.
  private @Nullable DictionaryEncoding dictionary(Field field) {
    DictionaryEncoding encoding = field.dictionary();
    boolean isText = field.type() instanceof ArrowType.Text;
    return encoding == null || !isText
        ? null
        : new DictionaryEncoding(dictionaryCount++, encoding.indexType(), /* ordered= */ false);
  }

  /// Returns the metadata without an extension type, which readers would look for in another
  /// storage type.
  private static Metadata withoutExtension(Metadata metadata) {
    return new Metadata(
        metadata.entries().stream()
            .filter(entry -> !entry.key().startsWith(EXTENSION_PREFIX))
            .toList());
  }
}
