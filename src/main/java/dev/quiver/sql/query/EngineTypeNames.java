package dev.quiver.sql.query;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.syntax.SqlNames;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The names of the engine's types for the columns of a version, as `DESCRIBE` shows them.
final class EngineTypeNames {

  private static final String ZONED = "TIMESTAMP WITH TIME ZONE";

  private static final int PRECISION_MAXIMUM = 38;
  private static final int ARRAY_SIZE_MAXIMUM = 100_000;

  /// The type of timestamps in nanoseconds with a zone.
  private final String zonedNanoseconds;

  private EngineTypeNames(String zonedNanoseconds) {
    this.zonedNanoseconds = zonedNanoseconds;
  }

  /// Returns the name of the type that each column has in a statement. A type that the engine lacks
  /// is shown as VARCHAR, as it is there until it is used.
  ///
  /// @param version whose statistics are read if a column has timestamps in nanoseconds with a zone
  /// @param check runs before each read of a remote store, and throws if no further one is wanted
  static List<String> of(Snapshot version, Runnable check) throws IOException {
    List<Field> fields = version.schema().fields();
    BitSet microseconds = new BitSet();
    IntStream.of(version.microsecondColumns(check)).forEach(microseconds::set);
    return IntStream.range(0, fields.size())
        .mapToObj(i -> of(fields.get(i), microseconds.get(i)))
        .toList();
  }

  private static String of(Field field, boolean isInMicroseconds) {
    return isSupported(field)
        ? new EngineTypeNames(isInMicroseconds ? ZONED : "TIMESTAMPTZ_NS").name(field)
        : "VARCHAR";
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

  private String name(Field field) {
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

  private String item(Field field) {
    return name(field.children().getFirst());
  }

  private String members(Field field) {
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

  private String timestamp(ArrowType.Timestamp type) {
    String zone = type.timezone();
    boolean isZoned = zone != null && !zone.isEmpty();
    return switch (type.unit()) {
      case SECOND -> isZoned ? ZONED : "TIMESTAMP_S";
      case MILLISECOND -> isZoned ? ZONED : "TIMESTAMP_MS";
      case MICROSECOND -> isZoned ? ZONED : "TIMESTAMP";
      case NANOSECOND -> isZoned ? zonedNanoseconds : "TIMESTAMP_NS";
    };
  }
}
