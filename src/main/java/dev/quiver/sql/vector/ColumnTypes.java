package dev.quiver.sql.vector;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.library.LogicalTypes;
import dev.quiver.sql.library.TypeId;
import dev.quiver.sql.library.UnsupportedTypeException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToLongFunction;

/// DuckDB's types for the columns of tables.
public final class ColumnTypes {

  private static final int PRECISION_MAXIMUM = 38;

  /// The sizes of arrays that DuckDB accepts.
  private static final int ARRAY_SIZE_MAXIMUM = 100_000;

  private final LogicalTypes types;

  public ColumnTypes(LogicalTypes types) {
    this.types = types;
  }

  /// Checks that DuckDB has a type for a column.
  ///
  /// @throws UnsupportedTypeException if not
  public void require(Field field) {
    types.release(create(field));
  }

  /// Returns the type of a column, which the caller destroys. It is a stand-in if DuckDB has none:
  /// [#require] rejects such a column once it is used.
  public long createOrSubstitute(Field field) {
    try {
      return create(field);
    } catch (UnsupportedTypeException e) {
      return create(TypeId.VARCHAR);
    }
  }

  /// Returns the type of a column, which the caller destroys.
  ///
  /// @throws UnsupportedTypeException if DuckDB has no type that holds all values
  public long create(Field field) {
    return create(field, field.name());
  }

  /// Returns the type of a field. A dictionary-encoded field has the type of its values.
  ///
  /// @param path the names from the column to the field
  private long create(Field field, String path) {
    return switch (field.type()) {
      case ArrowType.Null() -> create(TypeId.NULL);
      case ArrowType.Bool() -> create(TypeId.BOOLEAN);
      case ArrowType.Int type -> create(isBool8(field) ? TypeId.BOOLEAN : integer(type));
      case ArrowType.FloatingPoint(Precision precision) ->
          create(precision == Precision.DOUBLE ? TypeId.DOUBLE : TypeId.FLOAT);
      case ArrowType.Decimal type -> decimal(field, path, type);
      case ArrowType.Date _ -> create(TypeId.DATE);
      case ArrowType.Time(TimeUnit unit, _) ->
          create(unit == TimeUnit.NANOSECOND ? TypeId.TIME_NS : TypeId.TIME);
      case ArrowType.Timestamp type ->
          create(Microseconds.isMarked(field) ? TypeId.TIMESTAMP_TZ : timestamp(type));
      case ArrowType.Duration _, ArrowType.Interval _ -> create(TypeId.INTERVAL);
      case ArrowType.Text _ -> text(field);
      case ArrowType.Binary(), ArrowType.LargeBinary(), ArrowType.BinaryView() ->
          create(TypeId.BLOB);
      case ArrowType.FixedSizeBinary _ -> create(field.isUuid() ? TypeId.UUID : TypeId.BLOB);
      case ArrowType.List(), ArrowType.LargeList(), ArrowType.ViewList _ ->
          nested(field, path, children -> types.createList(children[0]));
      case ArrowType.FixedSizeList(int size) -> {
        if (size < 1 || size > ARRAY_SIZE_MAXIMUM) {
          throw unsupported(field, path, "lists of 1 to " + ARRAY_SIZE_MAXIMUM + " items");
        }
        yield nested(field, path, children -> types.createArray(children[0], size));
      }
      case ArrowType.Struct() -> {
        requireNames(field, path);
        yield nested(field, path, children -> named(field, children, types::createStruct));
      }
      case ArrowType.Map _ -> {
        Field entries = field.children().getFirst();
        yield nested(entries, path, children -> types.createMap(children[0], children[1]));
      }
      case ArrowType.Union _ -> {
        requireNames(field, path);
        yield nested(field, path, children -> named(field, children, types::createUnion));
      }
      case ArrowType.RunEndEncoded() -> create(field.children().getLast(), path);
    };
  }

  /// A constructor of a type from the types and names of its children, and their number.
  @FunctionalInterface
  private interface NamedConstructor {
    long create(long children, long names, long count);
  }

  private long nested(Field field, String path, ToLongFunction<long[]> constructor) {
    long[] children = new long[field.children().size()];
    int count = 0;
    try {
      for (Field child : field.children()) {
        children[count] = create(child, path + "." + child.name());
        count++;
      }
      return constructor.applyAsLong(children);
    } finally {
      for (int i = 0; i < count; i++) {
        types.release(children[i]);
      }
    }
  }

  private static long named(Field field, long[] children, NamedConstructor constructor) {
    try (Arena arena = Arena.ofConfined()) {
      long[] names =
          field.children().stream()
              .mapToLong(child -> arena.allocateFrom(child.name()).address())
              .toArray();
      return constructor.create(
          arena.allocateFrom(ValueLayout.JAVA_LONG, children).address(),
          arena.allocateFrom(ValueLayout.JAVA_LONG, names).address(),
          names.length);
    }
  }

  private static void requireNames(Field field, String path) {
    Set<String> names = new HashSet<>();
    for (Field child : field.children()) {
      if (child.name().isEmpty() || !names.add(child.name().toLowerCase(Locale.ROOT))) {
        throw unsupported(field, path, "children with names that differ in more than case");
      }
    }
    if (names.isEmpty()) {
      throw unsupported(field, path, "children");
    }
  }

  private long create(TypeId type) {
    return types.create(type.number());
  }

  private static TypeId integer(ArrowType.Int type) {
    return switch (type.bitWidth()) {
      case 8 -> type.signed() ? TypeId.TINYINT : TypeId.UTINYINT;
      case 16 -> type.signed() ? TypeId.SMALLINT : TypeId.USMALLINT;
      case 32 -> type.signed() ? TypeId.INTEGER : TypeId.UINTEGER;
      default -> type.signed() ? TypeId.BIGINT : TypeId.UBIGINT;
    };
  }

  private static TypeId timestamp(ArrowType.Timestamp type) {
    boolean zoned = isZoned(type);
    return switch (type.unit()) {
      case SECOND -> zoned ? TypeId.TIMESTAMP_TZ : TypeId.TIMESTAMP_S;
      case MILLISECOND -> zoned ? TypeId.TIMESTAMP_TZ : TypeId.TIMESTAMP_MS;
      case MICROSECOND -> zoned ? TypeId.TIMESTAMP_TZ : TypeId.TIMESTAMP;
      case NANOSECOND -> zoned ? TypeId.TIMESTAMP_TZ_NS : TypeId.TIMESTAMP_NS;
    };
  }

  static boolean isZoned(ArrowType.Timestamp type) {
    return type.timezone() != null && !type.timezone().isEmpty();
  }

  private long decimal(Field field, String path, ArrowType.Decimal type) {
    if (type.scale() < 0) {
      throw unsupported(field, path, "a scale of 0 or more");
    }
    if (precision(type) > PRECISION_MAXIMUM) {
      throw unsupported(field, path, "at most " + PRECISION_MAXIMUM + " digits");
    }
    return types.createDecimal(precision(type), type.scale());
  }

  /// Returns the precision of DuckDB's type, which is at least the scale.
  static int precision(ArrowType.Decimal type) {
    return Math.max(type.precision(), type.scale());
  }

  private long text(Field field) {
    long type = create(TypeId.VARCHAR);
    if (field.isExtension("arrow.json")) {
      try (Arena arena = Arena.ofConfined()) {
        types.setAlias(type, arena.allocateFrom("JSON").address());
      }
    }
    return type;
  }

  static boolean isBool8(Field field) {
    return field.type() instanceof ArrowType.Int(int bitWidth, boolean signed)
        && bitWidth == 8
        && signed
        && field.isExtension("arrow.bool8");
  }

  private static UnsupportedTypeException unsupported(Field field, String path, String expected) {
    return new UnsupportedTypeException(
        ("Expected %s but found type %s in column %s, which SQL cannot use;"
                + " SELECT * EXCLUDE leaves a column out")
            .formatted(expected, field.describeType(), path));
  }
}
