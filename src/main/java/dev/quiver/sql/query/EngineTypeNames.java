package dev.quiver.sql.query;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.syntax.SqlNames;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The names of the engine's types for columns, as `DESCRIBE` shows them.
final class EngineTypeNames {

  private static final int PRECISION_MAXIMUM = 38;
  private static final int ARRAY_SIZE_MAXIMUM = 100_000;

  private EngineTypeNames() {}

  /// Returns the name of the type that a column has in a statement. A type that the engine lacks is
  /// shown as VARCHAR, as it is there until it is used.
  static String of(Field field) {
    return isSupported(field) ? name(field) : "VARCHAR";
  }

  /// Returns whether the engine has a type for a column. It has none for some decimals and sizes of
  /// lists, and names the children of a struct or union regardless of their case.
  private static boolean isSupported(Field field) {
    boolean isSupported =
        switch (field.type()) {
          case ArrowType.Decimal type -> type.scale() >= 0 && precision(type) <= PRECISION_MAXIMUM;
          case ArrowType.FixedSizeList(int size) -> size >= 1 && size <= ARRAY_SIZE_MAXIMUM;
          case ArrowType.Struct(), ArrowType.Union _ -> hasNames(field);
          default -> true;
        };
    return isSupported && field.children().stream().allMatch(EngineTypeNames::isSupported);
  }

  private static boolean hasNames(Field field) {
    Set<String> names = new HashSet<>();
    return !field.children().isEmpty()
        && field.children().stream()
            .map(child -> child.name().toLowerCase(Locale.ROOT))
            .allMatch(name -> !name.isEmpty() && names.add(name));
  }

  private static String name(Field field) {
    return switch (field.type()) {
      case ArrowType.Null() -> "\"NULL\"";
      case ArrowType.Bool() -> "BOOLEAN";
      case ArrowType.Int type -> field.isExtension("arrow.bool8") ? "BOOLEAN" : integer(type);
      case ArrowType.FloatingPoint(Precision precision) ->
          precision == Precision.DOUBLE ? "DOUBLE" : "FLOAT";
      case ArrowType.Decimal type -> decimal(type);
      case ArrowType.Date _ -> "DATE";
      case ArrowType.Time(TimeUnit unit, _) -> unit == TimeUnit.NANOSECOND ? "TIME_NS" : "TIME";
      case ArrowType.Timestamp type -> timestamp(type);
      case ArrowType.Duration _, ArrowType.Interval _ -> "INTERVAL";
      case ArrowType.Text _ -> field.isExtension("arrow.json") ? "JSON" : "VARCHAR";
      case ArrowType.Binary(), ArrowType.LargeBinary(), ArrowType.BinaryView() -> "BLOB";
      case ArrowType.FixedSizeBinary _ -> field.isUuid() ? "UUID" : "BLOB";
      case ArrowType.List(), ArrowType.LargeList(), ArrowType.ViewList _ -> item(field) + "[]";
      case ArrowType.FixedSizeList(int size) -> item(field) + "[" + size + "]";
      case ArrowType.Struct() -> "STRUCT(%s)".formatted(members(field));
      case ArrowType.Map _ -> {
        Field entries = field.children().getFirst();
        yield "MAP(%s, %s)"
            .formatted(name(entries.children().getFirst()), name(entries.children().getLast()));
      }
      case ArrowType.Union _ -> "UNION(%s)".formatted(members(field));
      case ArrowType.RunEndEncoded() -> name(field.children().getLast());
    };
  }

  private static String item(Field field) {
    return name(field.children().getFirst());
  }

  private static String members(Field field) {
    return field.children().stream()
        .map(child -> SqlNames.written(child.name()) + " " + name(child))
        .collect(Collectors.joining(", "));
  }

  private static String integer(ArrowType.Int type) {
    String name =
        switch (type.bitWidth()) {
          case 8 -> "TINYINT";
          case 16 -> "SMALLINT";
          case 32 -> "INTEGER";
          default -> "BIGINT";
        };
    return type.signed() ? name : "U" + name;
  }

  private static String decimal(ArrowType.Decimal type) {
    return "DECIMAL(%d,%d)".formatted(precision(type), type.scale());
  }

  private static int precision(ArrowType.Decimal type) {
    return Math.max(type.precision(), type.scale());
  }

  private static String timestamp(ArrowType.Timestamp type) {
    String zone = type.timezone();
    boolean isZoned = zone != null && !zone.isEmpty();
    return switch (type.unit()) {
      case SECOND -> isZoned ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP_S";
      case MILLISECOND -> isZoned ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP_MS";
      case MICROSECOND -> isZoned ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP";
      case NANOSECOND -> isZoned ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP_NS";
    };
  }
}
