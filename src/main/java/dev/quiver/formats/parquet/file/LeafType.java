package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.LogicalType.Unit;

/// The Arrow type of a leaf, and how its values become values of this type.
///
/// @param metadata of the field
/// @param storage the form of the values in Arrow
/// @param storedWidth the bytes of a value in the file, or 0 if values differ in size
/// @param byteWidth the bytes of a value in Arrow for [Storage#FIXED_WIDTH], otherwise 0
/// @param conversion of values to [Storage#FIXED_WIDTH]; [LeafConversion#NONE] if both forms are
///   equal
public record LeafType(
    ArrowType arrowType,
    Metadata metadata,
    Storage storage,
    int storedWidth,
    int byteWidth,
    LeafConversion conversion) {

  /// The form of values in Arrow.
  public enum Storage {
    BITS,
    FIXED_WIDTH,
    VARIABLE_SIZE
  }

  private static final int DECIMAL_DIGITS_MAXIMUM = 76;
  private static final int DECIMAL_128_DIGITS_MAXIMUM = 38;
  private static final int DECIMAL_BYTE_WIDTH_MAXIMUM = 32;
  private static final int FIXED_BYTE_WIDTH_MAXIMUM = 16 << 20;
  static final int UUID_BYTE_WIDTH = 16;
  static final int INTERVAL_BYTE_WIDTH = 12;

  /// @param element whose logical type is one of its physical type
  /// @param type of the element
  /// @param path of the element
  /// @param isCoarse whether INT96 timestamps become microseconds
  /// @throws ForeignDataException if the length, precision or scale of the type is not supported
  static LeafType of(SchemaElement element, PhysicalType type, ColumnPath path, boolean isCoarse) {
    if (type == PhysicalType.FIXED_LEN_BYTE_ARRAY
        && (element.typeLength() <= 0 || element.typeLength() > FIXED_BYTE_WIDTH_MAXIMUM)) {
      throw unsupported(
          path,
          "Expected values of 1 to %,d bytes but found %,d"
              .formatted(FIXED_BYTE_WIDTH_MAXIMUM, element.typeLength()));
    }
    if (element.logicalType() instanceof LogicalType.Decimal(int precision, int scale)) {
      return decimal(type, element.typeLength(), precision, scale, path);
    }
    return switch (type) {
      case BOOLEAN ->
          new LeafType(
              new ArrowType.Bool(), Metadata.EMPTY, Storage.BITS, 0, 0, LeafConversion.NONE);
      case INT32 -> int32(element.logicalType());
      case INT64 -> int64(element.logicalType());
      case INT96 ->
          fixed(
              new ArrowType.Timestamp(isCoarse ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND, null),
              type.byteWidth(),
              Long.BYTES,
              isCoarse ? LeafConversion.COARSE_TIMESTAMPS : LeafConversion.TIMESTAMPS);
      case FLOAT -> same(new ArrowType.FloatingPoint(Precision.SINGLE), Float.BYTES);
      case DOUBLE -> same(new ArrowType.FloatingPoint(Precision.DOUBLE), Double.BYTES);
      case BYTE_ARRAY -> variable(element.logicalType());
      case FIXED_LEN_BYTE_ARRAY -> fixedLength(element.logicalType(), element.typeLength());
    };
  }

  private static ForeignDataException unsupported(ColumnPath path, String sentence) {
    return ForeignDataException.of(sentence, null, path.toString(), null);
  }

  private static LeafType fixed(
      ArrowType type, int storedWidth, int byteWidth, LeafConversion conversion) {
    return new LeafType(
        type, Metadata.EMPTY, Storage.FIXED_WIDTH, storedWidth, byteWidth, conversion);
  }

  private static LeafType same(ArrowType type, int byteWidth) {
    return fixed(type, byteWidth, byteWidth, LeafConversion.NONE);
  }

  private static LeafType int32(LogicalType logical) {
    return switch (logical) {
      case LogicalType.Date() -> same(new ArrowType.Date(DateUnit.DAY), Integer.BYTES);
      case LogicalType.Time(Unit unit) when unit == Unit.MILLISECONDS ->
          same(new ArrowType.Time(TimeUnit.MILLISECOND, Integer.SIZE), Integer.BYTES);
      case LogicalType.Int(int bitWidth, boolean signed) when bitWidth == Byte.SIZE ->
          narrow(bitWidth, signed, signed ? LeafConversion.INT8 : LeafConversion.UINT8);
      case LogicalType.Int(int bitWidth, boolean signed) when bitWidth == Short.SIZE ->
          narrow(bitWidth, signed, signed ? LeafConversion.INT16 : LeafConversion.UINT16);
      case LogicalType.Int(int bitWidth, boolean signed) when bitWidth == Integer.SIZE ->
          same(new ArrowType.Int(bitWidth, signed), Integer.BYTES);
      default -> same(new ArrowType.Int(Integer.SIZE, true), Integer.BYTES);
    };
  }

  private static LeafType narrow(int bitWidth, boolean signed, LeafConversion conversion) {
    return fixed(new ArrowType.Int(bitWidth, signed), Integer.BYTES, bitWidth >>> 3, conversion);
  }

  private static LeafType int64(LogicalType logical) {
    return switch (logical) {
      case LogicalType.Int(int bitWidth, boolean signed) when bitWidth == Long.SIZE ->
          same(new ArrowType.Int(bitWidth, signed), Long.BYTES);
      case LogicalType.Time(Unit unit) when unit != Unit.MILLISECONDS ->
          same(new ArrowType.Time(arrowUnit(unit), Long.SIZE), Long.BYTES);
      case LogicalType.Timestamp(Unit unit, boolean isUtc) ->
          same(new ArrowType.Timestamp(arrowUnit(unit), isUtc ? "UTC" : null), Long.BYTES);
      default -> same(new ArrowType.Int(Long.SIZE, true), Long.BYTES);
    };
  }

  private static TimeUnit arrowUnit(Unit unit) {
    return switch (unit) {
      case MILLISECONDS -> TimeUnit.MILLISECOND;
      case MICROSECONDS -> TimeUnit.MICROSECOND;
      case NANOSECONDS -> TimeUnit.NANOSECOND;
    };
  }

  private static LeafType variable(LogicalType logical) {
    return switch (logical) {
      case LogicalType.Text() -> variable(new ArrowType.Utf8(), Metadata.EMPTY);
      case LogicalType.Json() -> variable(new ArrowType.Utf8(), extension("arrow.json"));
      default -> variable(new ArrowType.Binary(), Metadata.EMPTY);
    };
  }

  private static LeafType variable(ArrowType type, Metadata metadata) {
    return new LeafType(type, metadata, Storage.VARIABLE_SIZE, 0, 0, LeafConversion.NONE);
  }

  private static Metadata extension(String name) {
    return Metadata.of(KeyValue.of(Field.EXTENSION_NAME, name));
  }

  private static LeafType fixedLength(LogicalType logical, int length) {
    return switch (logical) {
      case LogicalType.Uuid() -> binary(length, extension("arrow.uuid"));
      case LogicalType.Float16() -> same(new ArrowType.FloatingPoint(Precision.HALF), length);
      case LogicalType.Interval() ->
          fixed(
              new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO),
              length,
              2 * Long.BYTES,
              LeafConversion.INTERVALS);
      default -> binary(length, Metadata.EMPTY);
    };
  }

  private static LeafType binary(int length, Metadata metadata) {
    return new LeafType(
        new ArrowType.FixedSizeBinary(length),
        metadata,
        Storage.FIXED_WIDTH,
        length,
        length,
        LeafConversion.NONE);
  }

  private static LeafType decimal(
      PhysicalType type, int typeLength, int precision, int scale, ColumnPath path) {
    if (precision < 1 || precision > DECIMAL_DIGITS_MAXIMUM || scale < 0 || scale > precision) {
      throw unsupported(
          path,
          "Expected decimals of 1 to %d digits but found %d with scale %d"
              .formatted(DECIMAL_DIGITS_MAXIMUM, precision, scale));
    }
    int byteWidth = precision <= DECIMAL_128_DIGITS_MAXIMUM ? 2 * Long.BYTES : 4 * Long.BYTES;
    ArrowType arrowType = new ArrowType.Decimal(precision, scale, byteWidth << 3);
    return switch (type) {
      case INT32 ->
          fixed(arrowType, type.byteWidth(), byteWidth, new DecimalConversion.OfInt32(byteWidth));
      case INT64 ->
          fixed(arrowType, type.byteWidth(), byteWidth, new DecimalConversion.OfInt64(byteWidth));
      case FIXED_LEN_BYTE_ARRAY -> {
        if (typeLength > DECIMAL_BYTE_WIDTH_MAXIMUM) {
          throw unsupported(
              path,
              "Expected decimals of at most %d bytes but found %d"
                  .formatted(DECIMAL_BYTE_WIDTH_MAXIMUM, typeLength));
        }
        yield fixed(
            arrowType, typeLength, byteWidth, new DecimalConversion.OfBytes(typeLength, byteWidth));
      }
      default -> fixed(arrowType, 0, byteWidth, LeafConversion.NONE);
    };
  }
}
