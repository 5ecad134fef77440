package dev.quiver.formats.parquet.file;

import dev.quiver.formats.ForeignDataException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The nodes of a schema that may have a logical type.
///
/// [Logical types](https://github.com/apache/parquet-format/blob/master/LogicalTypes.md)
///
/// @param name of the logical type in the format
/// @param types the physical types of leaves that may have it
/// @param length the bytes of a value of `FIXED_LEN_BYTE_ARRAY`, or 0 for any
/// @param isOfGroups whether groups may have it, and leaves not
record Annotation(String name, Set<PhysicalType> types, int length, boolean isOfGroups) {

  private static final String LONGITUDES_AND_LATITUDES = "OGC:CRS84";
  private static final List<Integer> BIT_WIDTHS = List.of(8, 16, 32, 64);

  private static final Set<PhysicalType> DECIMAL_TYPES =
      EnumSet.of(
          PhysicalType.INT32,
          PhysicalType.INT64,
          PhysicalType.BYTE_ARRAY,
          PhysicalType.FIXED_LEN_BYTE_ARRAY);

  /// @param logical other than [LogicalType.None]
  private static Annotation of(LogicalType logical) {
    return switch (logical) {
      case LogicalType.None() -> throw new IllegalArgumentException("Expected a logical type");
      case LogicalType.List() -> group("LIST");
      case LogicalType.Map() -> group("MAP");
      case LogicalType.Variant() -> group("VARIANT");
      case LogicalType.Text() -> bytes("STRING");
      case LogicalType.Json() -> bytes("JSON");
      case LogicalType.Bson() -> bytes("BSON");
      case LogicalType.Geometry _ -> leaf("GEOMETRY", PhysicalType.BYTE_ARRAY);
      case LogicalType.Geography _ -> leaf("GEOGRAPHY", PhysicalType.BYTE_ARRAY);
      case LogicalType.Uuid() -> fixed("UUID", LeafType.UUID_BYTE_WIDTH);
      case LogicalType.Interval() -> fixed("INTERVAL", LeafType.INTERVAL_BYTE_WIDTH);
      case LogicalType.Float16() -> fixed("FLOAT16", Short.BYTES);
      case LogicalType.Date() -> leaf("DATE", PhysicalType.INT32);
      case LogicalType.Decimal _ ->
          new Annotation("DECIMAL", DECIMAL_TYPES, 0, /* isOfGroups= */ false);
      case LogicalType.Time(LogicalType.Unit unit) ->
          leaf(
              "TIME of " + describe(unit),
              unit == LogicalType.Unit.MILLISECONDS ? PhysicalType.INT32 : PhysicalType.INT64);
      case LogicalType.Timestamp(LogicalType.Unit unit, _) ->
          leaf("TIMESTAMP of " + describe(unit), PhysicalType.INT64);
      case LogicalType.Int(int bitWidth, boolean signed) ->
          leaf(
              "%s of %d bits".formatted(signed ? "INTEGER" : "unsigned INTEGER", bitWidth),
              bitWidth == Long.SIZE ? PhysicalType.INT64 : PhysicalType.INT32);
    };
  }

  private static String describe(LogicalType.Unit unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  private static Annotation group(String name) {
    return new Annotation(name, Set.of(), 0, /* isOfGroups= */ true);
  }

  private static Annotation leaf(String name, PhysicalType type) {
    return new Annotation(name, Set.of(type), 0, /* isOfGroups= */ false);
  }

  /// Returns a type of bytes. Some writers give it to bytes of a fixed length as well, which DuckDB
  /// reads.
  private static Annotation bytes(String name) {
    return new Annotation(
        name,
        EnumSet.of(PhysicalType.BYTE_ARRAY, PhysicalType.FIXED_LEN_BYTE_ARRAY),
        0,
        /* isOfGroups= */ false);
  }

  private static Annotation fixed(String name, int length) {
    return new Annotation(
        name, Set.of(PhysicalType.FIXED_LEN_BYTE_ARRAY), length, /* isOfGroups= */ false);
  }

  /// Checks that an element may have its logical type.
  ///
  /// @param isGroup whether the element is a group
  /// @throws ForeignDataException if its physical type is another one
  static void require(SchemaElement element, boolean isGroup, ColumnPath path) {
    if (element.logicalType() instanceof LogicalType.None) {
      return;
    }
    if (element.logicalType() instanceof LogicalType.Int(int bitWidth, _)
        && !BIT_WIDTHS.contains(bitWidth)) {
      throw ForeignDataException.of(
          "Expected integers of 8, 16, 32 or 64 bits but found %d bits".formatted(bitWidth),
          null,
          path.toString(),
          null);
    }
    Annotation annotation = of(element.logicalType());
    boolean isAllowed =
        isGroup
            ? annotation.isOfGroups
            : annotation.types.contains(element.type())
                && (annotation.length == 0 || annotation.length == element.typeLength());
    if (!isAllowed) {
      throw ForeignDataException.of(
          "Expected %s for the annotation %s but found %s"
              .formatted(
                  annotation.expected(),
                  annotation.name,
                  isGroup ? "a group" : describe(element.type(), element.typeLength())),
          null,
          path.toString(),
          null);
    }
  }

  private String expected() {
    if (isOfGroups) {
      return "a group";
    }
    if (types.size() == 1) {
      return describe(types.iterator().next(), length);
    }
    return types.contains(PhysicalType.INT32) ? "integers or bytes" : "bytes";
  }

  private static String describe(@Nullable PhysicalType type, int length) {
    return type == PhysicalType.FIXED_LEN_BYTE_ARRAY
        ? "%s of %d bytes".formatted(type, length)
        : String.valueOf(type);
  }

  /// Returns the part of a sentence about a logical type that Arrow lacks, or null for another one.
  static @Nullable String lost(LogicalType logical) {
    return switch (logical) {
      case LogicalType.Bson() -> "is BSON, stored as binary";
      case LogicalType.Variant() -> "is a VARIANT, stored as a struct of its binary parts";
      case LogicalType.Geometry(String crs) -> shape("a GEOMETRY", crs);
      case LogicalType.Geography(String crs) -> shape("a GEOGRAPHY", crs);
      default -> null;
    };
  }

  private static String shape(String name, @Nullable String crs) {
    return "is %s with the reference system %s, stored as binary"
        .formatted(
            name, ForeignDataException.excerpt(crs == null ? LONGITUDES_AND_LATITUDES : crs));
  }
}
