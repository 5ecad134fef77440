package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.type.ArrowType;

/// A writer of the union `Type` of Schema.fbs.
final class TypeWriter {

  private TypeWriter() {}

  /// Writes the table of `type`. Types without parameters are empty tables.
  static int write(FlatWriter writer, ArrowType type) {
    return switch (type) {
      case ArrowType.Int(int bitWidth, boolean signed) ->
          writer.begin().number(INT_BIT_WIDTH, bitWidth).flag(INT_IS_SIGNED, signed).end();
      case ArrowType.FloatingPoint(var precision) ->
          writer.begin().number(FLOATING_POINT_PRECISION, precision.ordinal()).end();
      case ArrowType.Decimal(int precision, int scale, int bitWidth) ->
          writer
              .begin()
              .number(DECIMAL_PRECISION, precision)
              .number(DECIMAL_SCALE, scale)
              .number(DECIMAL_BIT_WIDTH, bitWidth)
              .end();
      case ArrowType.Date(var unit) -> writer.begin().number(DATE_UNIT, unit.ordinal()).end();
      case ArrowType.Time(var unit, int bitWidth) ->
          writer.begin().number(TIME_UNIT, unit.ordinal()).number(TIME_BIT_WIDTH, bitWidth).end();
      case ArrowType.Timestamp timestamp -> writeTimestamp(writer, timestamp);
      case ArrowType.Interval(var unit) ->
          writer.begin().number(INTERVAL_UNIT, unit.ordinal()).end();
      case ArrowType.Union union -> writeUnion(writer, union);
      case ArrowType.FixedSizeBinary(int byteWidth) ->
          writer.begin().number(FIXED_SIZE_BINARY_BYTE_WIDTH, byteWidth).end();
      case ArrowType.FixedSizeList(int listSize) ->
          writer.begin().number(FIXED_SIZE_LIST_LIST_SIZE, listSize).end();
      case ArrowType.Map(boolean keysSorted) ->
          writer.begin().flag(MAP_KEYS_SORTED, keysSorted).end();
      case ArrowType.Duration(var unit) ->
          writer.begin().number(DURATION_UNIT, unit.ordinal()).end();
      case ArrowType.Null(),
          ArrowType.Bool(),
          ArrowType.RunEndEncoded(),
          ArrowType.Nested _,
          ArrowType.VariableBytes _,
          ArrowType.ViewBytes _ ->
          writer.begin().end();
    };
  }

  private static int writeTimestamp(FlatWriter writer, ArrowType.Timestamp type) {
    int timezone = type.timezone() == null ? 0 : writer.text(type.timezone());
    return writer
        .begin()
        .number(TIMESTAMP_UNIT, type.unit().ordinal())
        .reference(TIMESTAMP_TIMEZONE, timezone)
        .end();
  }

  private static int writeUnion(FlatWriter writer, ArrowType.Union type) {
    int typeIds = writer.int32s(type.typeIds());
    return writer
        .begin()
        .number(UNION_MODE, type.mode().ordinal())
        .reference(UNION_TYPE_IDS, typeIds)
        .end();
  }
}
