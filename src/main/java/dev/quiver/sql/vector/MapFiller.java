package dev.quiver.sql.vector;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Precision;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Maps: lists of entries, whose keys must be distinct and not null.
final class MapFiller extends ListFiller {

  private final Array keys;

  MapFiller(ArrayData array, Vectors vectors, VectorFiller entries) {
    super(array, vectors, entries);
    this.keys = Array.of(entries.array.children().getFirst());
  }

  @Override
  void checkItems(long start, long end) {
    Set<Object> distinct = new HashSet<>();
    for (long slot = start; slot < end; slot++) {
      Object key = value(keys, slot);
      require(key != null, "keys that are not null");
      // A single key need not be compared.
      if (key != null && end - start > 1) {
        require(distinct.add(key), "distinct keys");
      }
    }
  }

  /// Returns an object that is equal for equal values of the same column, or null.
  private static @Nullable Object value(Array array, long slot) {
    if (array.isNull(slot)) {
      return null;
    }
    return switch (array) {
      case Array.Null _ -> null;
      case Array.Bool bool -> bool.get(slot);
      case Array.FixedWidth fixed
          when fixed.data().field().type()
              instanceof ArrowType.FloatingPoint(Precision precision) ->
          number(fixed.bytes(slot), precision);
      case Array.Bytes bytes -> ByteString.of(bytes.bytes(slot).toArray(LittleEndian.INT8));
      case Array.Lists lists -> {
        List<@Nullable Object> values = new ArrayList<>();
        Array items = lists.values();
        for (long item = lists.start(slot); item < lists.end(slot); item++) {
          values.add(value(items, item));
        }
        yield values;
      }
      case Array.Struct struct -> {
        List<@Nullable Object> values = new ArrayList<>();
        for (ArrayData child : struct.data().children()) {
          values.add(value(Array.of(child), slot));
        }
        yield values;
      }
      case Array.Union union -> {
        int child = union.childIndex(slot);
        Object value = value(union.child(child), union.childSlot(slot));
        yield value == null ? null : List.of(child, value);
      }
      case Array.RunEndEncoded runs -> value(runs.values(), runs.run(slot));
      case Array.DictionaryEncoded encoded -> value(encoded.dictionary(), encoded.index(slot));
    };
  }

  /// Returns a number of which NaN equals itself and zero has no sign, as in the engine.
  private static Object number(MemorySegment bytes, Precision precision) {
    double number =
        switch (precision) {
          case HALF -> Float.float16ToFloat(LittleEndian.getInt16(bytes, 0));
          case SINGLE -> Float.intBitsToFloat(LittleEndian.getInt32(bytes, 0));
          case DOUBLE -> Double.longBitsToDouble(LittleEndian.getInt64(bytes, 0));
        };
    return number == 0 ? 0.0 : number;
  }

  private void require(boolean holds, String expected) {
    if (!holds) {
      throw new ConversionException(
          "Expected %s but found others in a map of column %s"
              .formatted(expected, array.field().name()));
    }
  }
}
