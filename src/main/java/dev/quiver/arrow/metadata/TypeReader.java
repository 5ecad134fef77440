package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.util.List;
import java.util.stream.IntStream;

/// A reader of the union `Type` of Schema.fbs: the type tables with their parameters.
final class TypeReader {

  private TypeReader() {}

  /// @param field the table `Field` with the type
  static ArrowType read(FlatTable field) {
    return read(field, FIELD_TYPE_TYPE, FIELD_TYPE);
  }

  /// @param field the table with the type
  /// @param codeSlot the slot of the type's code
  /// @param typeSlot the slot of the type's parameters
  static ArrowType read(FlatTable field, Slot codeSlot, Slot typeSlot) {
    TypeCode code = field.constant(codeSlot, TypeCode.values());
    if (code == TypeCode.NONE) {
      throw field.malformed(codeSlot, "the code of a type", "0 (NONE)");
    }
    FlatTable table = field.requiredTable(typeSlot);
    return switch (code) {
      case NONE, NULL -> new ArrowType.Null();
      case INT -> readInt(table);
      case FLOATING_POINT ->
          new ArrowType.FloatingPoint(table.constant(FLOATING_POINT_PRECISION, Precision.values()));
      case BINARY -> new ArrowType.Binary();
      case UTF8 -> new ArrowType.Utf8();
      case BOOL -> new ArrowType.Bool();
      case DECIMAL -> readDecimal(table);
      case DATE -> new ArrowType.Date(table.constant(DATE_UNIT, DateUnit.values()));
      case TIME -> readTime(table);
      case TIMESTAMP -> readTimestamp(table);
      case INTERVAL -> new ArrowType.Interval(table.constant(INTERVAL_UNIT, IntervalUnit.values()));
      case LIST -> new ArrowType.List();
      case STRUCT -> new ArrowType.Struct();
      case UNION -> readUnion(table, field.tables(FIELD_CHILDREN).length());
      case FIXED_SIZE_BINARY ->
          new ArrowType.FixedSizeBinary((int) table.nonNegative(FIXED_SIZE_BINARY_BYTE_WIDTH));
      case FIXED_SIZE_LIST ->
          new ArrowType.FixedSizeList((int) table.nonNegative(FIXED_SIZE_LIST_LIST_SIZE));
      case MAP -> new ArrowType.Map(table.flag(MAP_KEYS_SORTED));
      case DURATION -> new ArrowType.Duration(table.constant(DURATION_UNIT, TimeUnit.values()));
      case LARGE_BINARY -> new ArrowType.LargeBinary();
      case LARGE_UTF8 -> new ArrowType.LargeUtf8();
      case LARGE_LIST -> new ArrowType.LargeList();
      case RUN_END_ENCODED -> new ArrowType.RunEndEncoded();
      case BINARY_VIEW -> new ArrowType.BinaryView();
      case UTF8_VIEW -> new ArrowType.Utf8View();
      case LIST_VIEW -> new ArrowType.ListView();
      case LARGE_LIST_VIEW -> new ArrowType.LargeListView();
    };
  }

  /// Reads table `Int`, which is also the type of dictionary indices.
  static ArrowType.Int readInt(FlatTable table) {
    int bitWidth = table.intNumber(INT_BIT_WIDTH);
    if (bitWidth != 8 && bitWidth != 16 && bitWidth != 32 && bitWidth != 64) {
      throw table.unsupported(INT_BIT_WIDTH, "8, 16, 32 or 64", bitWidth);
    }
    return new ArrowType.Int(bitWidth, table.flag(INT_IS_SIGNED));
  }

  private static ArrowType.Decimal readDecimal(FlatTable table) {
    int bitWidth = table.intNumber(DECIMAL_BIT_WIDTH);
    if (bitWidth != 32 && bitWidth != 64 && bitWidth != 128 && bitWidth != 256) {
      throw table.unsupported(DECIMAL_BIT_WIDTH, "32, 64, 128 or 256", bitWidth);
    }
    int precision = table.intNumber(DECIMAL_PRECISION);
    int maximum = ArrowType.Decimal.maximumPrecision(bitWidth);
    if (precision < 1 || precision > maximum) {
      throw table.malformed(
          DECIMAL_PRECISION,
          "1 to " + maximum + " digits for a bit width of " + bitWidth,
          precision);
    }
    return new ArrowType.Decimal(precision, table.intNumber(DECIMAL_SCALE), bitWidth);
  }

  private static ArrowType.Time readTime(FlatTable table) {
    TimeUnit unit = table.constant(TIME_UNIT, TimeUnit.values());
    int bitWidth = table.intNumber(TIME_BIT_WIDTH);
    int needed = ArrowType.Time.bitWidthOf(unit);
    if (bitWidth != needed) {
      throw table.malformed(TIME_BIT_WIDTH, needed + " for " + unit, bitWidth);
    }
    return new ArrowType.Time(unit, bitWidth);
  }

  /// Reads table `Timestamp`. Like other implementations, treats an empty timezone as absent.
  private static ArrowType.Timestamp readTimestamp(FlatTable table) {
    String timezone = table.text(TIMESTAMP_TIMEZONE);
    return new ArrowType.Timestamp(
        table.constant(TIMESTAMP_UNIT, TimeUnit.values()),
        timezone == null || timezone.isEmpty() ? null : timezone);
  }

  /// Reads table `Union`. Without ids, children are numbered in order.
  private static ArrowType.Union readUnion(FlatTable table, int childCount) {
    UnionMode mode = table.constant(UNION_MODE, UnionMode.values());
    FlatVector ids = table.elements(UNION_TYPE_IDS, Integer.BYTES);
    if (table.has(UNION_TYPE_IDS) && ids.length() != childCount) {
      throw table.malformed(
          UNION_TYPE_IDS, "an id for each of " + childCount + " children", ids.length());
    }
    if (childCount > Byte.MAX_VALUE + 1) {
      throw table.malformed(UNION_TYPE_IDS, "at most 128 children", childCount);
    }
    boolean[] taken = new boolean[Byte.MAX_VALUE + 1];
    for (int i = 0; i < ids.length(); i++) {
      int id = ids.int32(i, 0);
      if (id < 0 || id > Byte.MAX_VALUE) {
        throw ids.malformed(i, "", "0 to 127", id);
      }
      if (taken[id]) {
        throw ids.malformed(i, "", "an id that no other child has", id);
      }
      taken[id] = true;
    }
    List<Integer> typeIds =
        IntStream.range(0, childCount)
            .mapToObj(i -> ids.length() == 0 ? i : ids.int32(i, 0))
            .toList();
    return new ArrowType.Union(mode, typeIds);
  }
}
