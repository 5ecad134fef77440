package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The slots of arrays as plain Java values that compare by `equals`: the reverse of
/// [ArrayBuilder].
///
/// Integers, dates and times become `Long` (`BigInteger` above its range), floating-point numbers
/// `Double`, decimals their unscaled `BigInteger`, and binary [ByteString]. Lists, structs and map
/// entries become `List`. Run-end-encoded and dictionary-encoded slots become the values that they
/// represent.
public final class Values {

  private Values() {}

  /// Returns the rows of a batch.
  public static List<List<@Nullable Object>> rows(RecordBatch batch) {
    List<List<@Nullable Object>> columns = batch.columns().stream().map(Values::of).toList();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < batch.length(); i++) {
      List<@Nullable Object> row = new ArrayList<>();
      columns.forEach(column -> row.add(column.get(rows.size())));
      rows.add(row);
    }
    return rows;
  }

  /// Returns all slots of the array.
  public static List<@Nullable Object> of(ArrayData data) {
    return of(Array.of(data), 0, data.length());
  }

  /// Returns the slots from `start` (inclusive) to `end` (exclusive).
  public static List<@Nullable Object> of(Array array, long start, long end) {
    List<@Nullable Object> values = new ArrayList<>();
    for (long i = start; i < end; i++) {
      values.add(of(array, i));
    }
    return Collections.unmodifiableList(values);
  }

  /// Returns one slot.
  public static @Nullable Object of(Array array, long index) {
    boolean ownNulls = !(array instanceof Array.Union || array instanceof Array.RunEndEncoded);
    if (ownNulls && array.isNull(index)) {
      return null;
    }
    return switch (array) {
      case Array.Null _ -> null;
      case Array.Bool bools -> bools.get(index);
      case Array.FixedWidth slots -> fixedWidth(slots, index);
      case Array.VariableBinary slots -> bytes(slots, index);
      case Array.BinaryView slots -> bytes(slots, index);
      case Array.Lists lists -> of(lists.values(), lists.start(index), lists.end(index));
      case Array.Struct struct -> {
        List<@Nullable Object> tuple = new ArrayList<>();
        for (int i = 0; i < struct.data().children().size(); i++) {
          tuple.add(of(struct.child(i), index));
        }
        yield Collections.unmodifiableList(tuple);
      }
      case Array.Union union ->
          new UnionValue(
              union.typeId(index),
              of(union.child(union.childIndex(index)), union.childSlot(index)));
      case Array.RunEndEncoded runs -> of(runs.values(), runs.run(index));
      case Array.DictionaryEncoded encoded -> of(encoded.dictionary(), encoded.index(index));
    };
  }

  private static Object bytes(Array.Bytes slots, long index) {
    return switch (slots.data().field().type()) {
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() -> slots.text(index);
      default -> byteString(slots.bytes(index));
    };
  }

  private static Object fixedWidth(Array.FixedWidth slots, long index) {
    MemorySegment bytes = slots.bytes(index);
    return switch (slots.data().field().storageType()) {
      case ArrowType.Int(int bitWidth, boolean signed) -> {
        long number = slots.integer(index);
        yield bitWidth == 64 && !signed && number < 0
            ? new BigInteger(Long.toUnsignedString(number))
            : (Object) number;
      }
      case ArrowType.FloatingPoint _ -> slots.floatingPoint(index);
      case ArrowType.Decimal _ -> {
        byte[] bigEndian = new byte[(int) bytes.byteSize()];
        for (int i = 0; i < bigEndian.length; i++) {
          bigEndian[i] = LittleEndian.getInt8(bytes, bigEndian.length - 1L - i);
        }
        yield new BigInteger(bigEndian);
      }
      case ArrowType.Interval(IntervalUnit unit) ->
          switch (unit) {
            case YEAR_MONTH -> slots.integer(index);
            case DAY_TIME ->
                new IntervalValue.DayTime(
                    LittleEndian.getInt32(bytes, 0), LittleEndian.getInt32(bytes, 4));
            case MONTH_DAY_NANO ->
                new IntervalValue.MonthDayNano(
                    LittleEndian.getInt32(bytes, 0),
                    LittleEndian.getInt32(bytes, 4),
                    LittleEndian.getInt64(bytes, 8));
          };
      case ArrowType.FixedSizeBinary _ -> byteString(bytes);
      default -> slots.integer(index);
    };
  }

  private static ByteString byteString(MemorySegment bytes) {
    return ByteString.of(bytes.toArray(LittleEndian.INT8));
  }
}
