package dev.quiver.formats;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types in which text is read that follows the rows of a dataset: each holds all values of its
/// column, and casts to the column's own type.
public final class TextTypes {

  private TextTypes() {}

  /// Returns the types of the columns of a dataset by name. Columns that share a name have a type
  /// only if it is the same.
  public static Map<String, ColumnType> of(Schema schema) {
    Map<String, ColumnType> types = new LinkedHashMap<>();
    Set<String> ambiguous = new HashSet<>();
    for (Field field : schema.fields()) {
      ColumnType type = of(field);
      ColumnType other = type == null ? null : types.putIfAbsent(field.name(), type);
      if (type == null || other != null && !other.equals(type)) {
        ambiguous.add(field.name());
      }
    }
    types.keySet().removeAll(ambiguous);
    return types;
  }

  /// Returns the type for one column, or null if its values have no text of their own.
  public static @Nullable ColumnType of(Field field) {
    return switch (field.type()) {
      case ArrowType.Bool() -> ColumnType.BOOLEAN;
      case ArrowType.Int(int bitWidth, boolean signed) -> ColumnType.integer(bitWidth, signed);
      case ArrowType.FloatingPoint(Precision precision) ->
          switch (precision) {
            case HALF -> ColumnType.HALF;
            case SINGLE -> ColumnType.FLOAT;
            case DOUBLE -> ColumnType.DOUBLE;
          };
      case ArrowType.Decimal(int precision, int scale, _) ->
          ColumnType.wideDecimal(precision, scale);
      case ArrowType.Null(), ArrowType.Text _ -> ColumnType.VARCHAR;
      case ArrowType.Date _ -> ColumnType.DATE;
      case ArrowType.Time(TimeUnit unit, _) ->
          unit == TimeUnit.NANOSECOND ? ColumnType.TIME_NS : ColumnType.TIME;
      case ArrowType.Timestamp(TimeUnit unit, var zone) -> {
        boolean zoned = zone != null && !zone.isEmpty();
        boolean hasNanoseconds = unit == TimeUnit.NANOSECOND;
        yield zoned
            ? hasNanoseconds ? ColumnType.TIMESTAMPTZ_NS : ColumnType.TIMESTAMPTZ
            : hasNanoseconds ? ColumnType.TIMESTAMP_NS : ColumnType.TIMESTAMP;
      }
      case ArrowType.FixedSizeBinary _ when field.isUuid() -> ColumnType.UUID;
      case ArrowType.Bytes _ -> ColumnType.BINARY;
      case ArrowType.RunEndEncoded() -> of(field.children().getLast());
      default -> null;
    };
  }

  /// Returns the rows that a batch has at most: run ends of 16 bits count no more.
  public static int rowCountMaximum(Schema schema) {
    return schema.fields().stream().anyMatch(TextTypes::hasShortRuns)
        ? Short.MAX_VALUE
        : Integer.MAX_VALUE;
  }

  private static boolean hasShortRuns(Field field) {
    return field.type() instanceof ArrowType.RunEndEncoded
        && field.children().getFirst().type().equals(new ArrowType.Int(Short.SIZE, true));
  }
}
