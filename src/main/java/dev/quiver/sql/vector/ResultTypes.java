package dev.quiver.sql.vector;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.sql.library.LogicalTypes;
import dev.quiver.sql.library.TypeId;
import dev.quiver.sql.library.UnsupportedTypeException;
import dev.quiver.sql.library.Vectors;
import java.util.ArrayList;
import java.util.List;

/// Arrow's fields for the columns of results, and their builders.
public final class ResultTypes {

  private static final String UTC = "UTC";
  private static final int HUGE_PRECISION = 38;

  /// The number of members that the type ids of Arrow distinguish.
  private static final int TYPE_IDS_MAXIMUM = 128;

  private final LogicalTypes types;
  private final Vectors vectors;
  private long nextDictionaryId;

  public ResultTypes(LogicalTypes types, Vectors vectors) {
    this.types = types;
    this.vectors = vectors;
  }

  /// Returns the builder for a column, whose field says its type.
  ///
  /// @param type the logical type, which the caller destroys
  /// @throws UnsupportedTypeException if Arrow has no such type
  public ColumnBuilder builder(String name, long type) {
    TypeId id = TypeId.of(types.id(type));
    return switch (id) {
      case NULL -> new NullBuilder(field(name, new ArrowType.Null()), vectors);
      case BOOLEAN -> new BooleanBuilder(field(name, new ArrowType.Bool()), vectors);
      case TINYINT -> integer(name, 8, true);
      case SMALLINT -> integer(name, 16, true);
      case INTEGER -> integer(name, 32, true);
      case BIGINT -> integer(name, 64, true);
      case UTINYINT -> integer(name, 8, false);
      case USMALLINT -> integer(name, 16, false);
      case UINTEGER -> integer(name, 32, false);
      case UBIGINT -> integer(name, 64, false);
      case FLOAT -> fixedWidth(name, new ArrowType.FloatingPoint(Precision.SINGLE), 4);
      case DOUBLE -> fixedWidth(name, new ArrowType.FloatingPoint(Precision.DOUBLE), 8);
      case DATE -> fixedWidth(name, new ArrowType.Date(DateUnit.DAY), 4);
      case TIME -> fixedWidth(name, new ArrowType.Time(TimeUnit.MICROSECOND, 64), 8);
      case TIME_NS -> fixedWidth(name, new ArrowType.Time(TimeUnit.NANOSECOND, 64), 8);
      case TIMESTAMP_S -> fixedWidth(name, new ArrowType.Timestamp(TimeUnit.SECOND, null), 8);
      case TIMESTAMP_MS -> fixedWidth(name, new ArrowType.Timestamp(TimeUnit.MILLISECOND, null), 8);
      case TIMESTAMP -> fixedWidth(name, new ArrowType.Timestamp(TimeUnit.MICROSECOND, null), 8);
      case TIMESTAMP_NS -> fixedWidth(name, new ArrowType.Timestamp(TimeUnit.NANOSECOND, null), 8);
      case TIMESTAMP_TZ -> fixedWidth(name, new ArrowType.Timestamp(TimeUnit.MICROSECOND, UTC), 8);
      case TIMESTAMP_TZ_NS ->
          fixedWidth(name, new ArrowType.Timestamp(TimeUnit.NANOSECOND, UTC), 8);
      case INTERVAL ->
          new IntervalBuilder(
              field(name, new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO)), vectors);
      case HUGEINT, UHUGEINT ->
          new HugeIntegerBuilder(
              field(name, new ArrowType.Decimal(HUGE_PRECISION, 0, 128)),
              vectors,
              id == TypeId.HUGEINT);
      case DECIMAL -> decimal(name, type);
      case VARCHAR -> text(name, type);
      case BLOB -> new BytesBuilder(field(name, new ArrowType.Binary()), vectors);
      case UUID ->
          new UuidBuilder(
              extension(field(name, new ArrowType.FixedSizeBinary(16)), "arrow.uuid"), vectors);
      case ENUM -> enumeration(name, type);
      case LIST -> {
        ColumnBuilder items = child("item", types.listChild(type));
        Field field = Field.of(name, true, new ArrowType.List(), items.field());
        yield new ListBuilder(field, vectors, items);
      }
      case ARRAY -> {
        ColumnBuilder items = child("item", types.arrayChild(type));
        int size = Math.toIntExact(types.arraySize(type));
        Field field = Field.of(name, true, new ArrowType.FixedSizeList(size), items.field());
        yield new FixedSizeListBuilder(field, vectors, items, size);
      }
      case STRUCT -> {
        List<ColumnBuilder> children = new ArrayList<>();
        for (long i = 0; i < types.structSize(type); i++) {
          children.add(child(types.structName(type, i), types.structChild(type, i)));
        }
        yield new StructBuilder(
            Field.of(name, true, new ArrowType.Struct(), fields(children)), vectors, children);
      }
      case MAP -> map(name, type);
      case UNION -> union(name, type);
      case TIME_TZ -> throw unsupported(name, id, "TIME");
      case GEOMETRY -> throw unsupported(name, id, "BLOB");
      case BIT, BIGNUM, VARIANT -> throw unsupported(name, id, "VARCHAR");
      case INVALID, ANY, STRING_LITERAL, INTEGER_LITERAL ->
          throw unsupported(name, id, "another type");
    };
  }

  /// Returns the builder for a child, whose type it destroys.
  private ColumnBuilder child(String name, long type) {
    try {
      return builder(name, type);
    } finally {
      types.release(type);
    }
  }

  private static Field[] fields(List<ColumnBuilder> builders) {
    return builders.stream().map(ColumnBuilder::field).toArray(Field[]::new);
  }

  private ColumnBuilder map(String name, long type) {
    ColumnBuilder keys = child("key", types.mapKey(type));
    ColumnBuilder values = child("value", types.mapValue(type));
    keys.setNotNullable();
    Field entries =
        Field.of("entries", false, new ArrowType.Struct(), keys.field(), values.field());
    return new ListBuilder(
        Field.of(name, true, new ArrowType.Map(false), entries),
        vectors,
        new StructBuilder(entries, vectors, List.of(keys, values)));
  }

  private ColumnBuilder union(String name, long type) {
    List<ColumnBuilder> members = new ArrayList<>();
    List<Integer> typeIds = new ArrayList<>();
    long size = types.unionSize(type);
    if (size > TYPE_IDS_MAXIMUM) {
      throw new UnsupportedTypeException(
          "Expected a union of at most %d members but found %d in column %s"
              .formatted(TYPE_IDS_MAXIMUM, size, name));
    }
    for (int i = 0; i < size; i++) {
      members.add(child(types.unionName(type, i), types.unionMember(type, i)));
      typeIds.add(i);
    }
    ArrowType union = new ArrowType.Union(UnionMode.SPARSE, typeIds);
    return new UnionBuilder(Field.of(name, true, union, fields(members)), vectors, members);
  }

  private ColumnBuilder enumeration(String name, long type) {
    List<String> values = new ArrayList<>();
    for (long i = 0; i < Integer.toUnsignedLong(types.enumSize(type)); i++) {
      values.add(types.enumValue(type, i));
    }
    int byteWidth =
        switch (TypeId.of(types.enumStorage(type))) {
          case UTINYINT -> 1;
          case USMALLINT -> 2;
          default -> 4;
        };
    ArrowType.Int indexType = new ArrowType.Int(8 * byteWidth, false);
    DictionaryEncoding encoding = new DictionaryEncoding(nextDictionaryId++, indexType, true);
    Field field = field(name, new ArrowType.Utf8()).withDictionary(encoding);
    return new EnumBuilder(field, vectors, byteWidth, values);
  }

  private ColumnBuilder integer(String name, int bitWidth, boolean signed) {
    return fixedWidth(name, new ArrowType.Int(bitWidth, signed), bitWidth >>> 3);
  }

  private ColumnBuilder fixedWidth(String name, ArrowType type, int byteWidth) {
    return new FixedWidthBuilder(field(name, type), vectors, byteWidth);
  }

  private ColumnBuilder decimal(String name, long type) {
    ArrowType.Decimal decimal =
        new ArrowType.Decimal(types.decimalPrecision(type), types.decimalScale(type), 128);
    int byteSize =
        switch (TypeId.of(types.decimalStorage(type))) {
          case SMALLINT -> 2;
          case INTEGER -> 4;
          case BIGINT -> 8;
          default -> 16;
        };
    return new DecimalBuilder(field(name, decimal), vectors, byteSize);
  }

  private ColumnBuilder text(String name, long type) {
    Field field = field(name, new ArrowType.Utf8());
    boolean json = types.alias(type).equals("JSON");
    return new BytesBuilder(json ? extension(field, "arrow.json") : field, vectors);
  }

  private static Field field(String name, ArrowType type) {
    return Field.of(name, true, type);
  }

  private static Field extension(Field field, String name) {
    return field.withMetadata(Metadata.of(KeyValue.of(Field.EXTENSION_NAME, name)));
  }

  private static UnsupportedTypeException unsupported(String name, TypeId type, String target) {
    return new UnsupportedTypeException(
        "Expected a type that Arrow has but found %s in column %s; CAST it AS %s"
            .formatted(type, name, target));
  }
}
