package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The casts that exist.
///
/// | from | to |
/// | --- | --- |
/// | any type | the same type, with another name, nullability and metadata; null, if all slots are |
/// | integer | integer of another width or sign; duration, from 64 bits |
/// | float32 | float16 |
/// | decimal | decimal of another width with the same scale and at least the precision |
/// | date32 | date64 |
/// | time, timestamp | time, timestamp of another unit; any zone or none |
/// | utf8, binary | their large form and their view; fixed-size binary |
/// | list | large list, list view, large list view, fixed-size list |
/// | struct, map | struct, map with as many children |
/// | a type without children | a dictionary of the type, or of one that it casts to; so are runs |
public final class Casts {

  private static final long MILLISECONDS_PER_DAY = 86_400_000;

  private Casts() {}

  /// Returns the cast between two fields, or null if impossible. The names of fields and children
  /// count for nothing.
  ///
  /// @param from a field that is not dictionary-encoded, and neither are its children
  public static @Nullable Cast of(Field from, Field to) {
    DictionaryEncoding encoding = to.dictionary();
    if (encoding != null) {
      Field values = to.withDictionary(null);
      Cast cast = of(from, values);
      boolean nested = Layout.of(to.type()).childCount() != 0;
      return cast == null || nested ? null : new DictionaryCast(cast, to);
    }
    return switch (to.type()) {
      case ArrowType.Null() -> (array, _) -> nulls(array, to);
      case ArrowType.Struct(), ArrowType.Map _ ->
          from.type().getClass() == to.type().getClass() ? children(from, to) : null;
      case ArrowType.ListLike _ -> lists(from, to);
      case ArrowType.RunEndEncoded() -> runs(from, to);
      default ->
          from.type().equals(to.type()) && to.children().isEmpty() ? retyped(to) : values(from, to);
    };
  }

  /// Returns the casts between the columns of two schemas, by their index.
  ///
  /// @param from a schema without dictionaries
  /// @throws IllegalArgumentException if a column does not cast, or if there is another number
  public static List<Cast> of(Schema from, Schema to) {
    if (from.fields().size() != to.fields().size()) {
      throw new IllegalArgumentException(
          "Expected %d columns but found %d".formatted(from.fields().size(), to.fields().size()));
    }
    List<Cast> casts = new ArrayList<>();
    for (int i = 0; i < from.fields().size(); i++) {
      Cast cast = of(from.fields().get(i), to.fields().get(i));
      if (cast == null) {
        throw new IllegalArgumentException(
            "Expected a type that %s casts to but found %s"
                .formatted(from.fields().get(i), to.fields().get(i)));
      }
      casts.add(cast);
    }
    return casts;
  }

  /// Returns the first slot that a cast fails for.
  ///
  /// @param array for which it fails
  public static long firstInvalid(Cast cast, ArrayData array, SegmentAllocator allocator) {
    long valid = 0;
    long invalid = array.length();
    while (invalid - valid > 1) {
      long middle = valid + invalid >>> 1;
      ArrayData start = Slices.slice(array, 0, middle, allocator);
      try {
        cast.apply(Concatenation.compact(start, allocator), allocator);
        valid = middle;
      } catch (InvalidCastException e) {
        invalid = middle;
      }
    }
    return valid;
  }

  /// Returns the slots that a cast fails for, each by itself.
  ///
  /// @param array for which it may fail
  public static BitSet allInvalid(Cast cast, ArrayData array, SegmentAllocator allocator) {
    BitSet invalid = new BitSet();
    addInvalid(cast, array, 0, array.length(), invalid, allocator);
    return invalid;
  }

  private static void addInvalid(
      Cast cast,
      ArrayData array,
      long start,
      long end,
      BitSet invalid,
      SegmentAllocator allocator) {
    try {
      ArrayData part = Slices.slice(array, start, end - start, allocator);
      cast.apply(Concatenation.compact(part, allocator), allocator);
    } catch (InvalidCastException e) {
      if (end - start == 1) {
        invalid.set(Math.toIntExact(start));
      } else {
        long middle = start + end >>> 1;
        addInvalid(cast, array, start, middle, invalid, allocator);
        addInvalid(cast, array, middle, end, invalid, allocator);
      }
    }
  }

  /// Returns the cast of types without children that differ.
  private static @Nullable Cast values(Field from, Field to) {
    return switch (to.type()) {
      case ArrowType.Int _ ->
          from.type() instanceof ArrowType.Int ? IntegerCast.of(from, to) : null;
      case ArrowType.Duration _ ->
          from.type().equals(new ArrowType.Int(64, true)) ? retyped(to) : null;
      case ArrowType.FloatingPoint(Precision precision) ->
          precision == Precision.HALF
                  && from.type().equals(new ArrowType.FloatingPoint(Precision.SINGLE))
              ? new HalfPrecisionCast(to)
              : null;
      case ArrowType.Decimal type ->
          from.type() instanceof ArrowType.Decimal(int precision, int scale, _)
                  && scale == type.scale()
                  && precision <= type.precision()
              ? DecimalCast.of(from, to)
              : null;
      case ArrowType.Date(DateUnit unit) ->
          unit == DateUnit.MILLISECOND && from.type() instanceof ArrowType.Date
              ? IntegerCast.scaled(from, to, MILLISECONDS_PER_DAY, 1)
              : null;
      case ArrowType.Time(TimeUnit unit, _) ->
          from.type() instanceof ArrowType.Time(TimeUnit other, _)
              ? scaled(from, other, to, unit)
              : null;
      case ArrowType.Timestamp(TimeUnit unit, _) ->
          from.type() instanceof ArrowType.Timestamp(TimeUnit other, _)
              ? scaled(from, other, to, unit)
              : null;
      case ArrowType.LargeUtf8(), ArrowType.Utf8View() ->
          from.type() instanceof ArrowType.Utf8 ? BytesCast.of(to) : null;
      case ArrowType.LargeBinary(), ArrowType.BinaryView(), ArrowType.FixedSizeBinary _ ->
          from.type() instanceof ArrowType.Binary ? BytesCast.of(to) : null;
      default -> null;
    };
  }

  private static Cast scaled(Field from, TimeUnit unit, Field to, TimeUnit toUnit) {
    return unit == toUnit
        ? retyped(to)
        : IntegerCast.scaled(from, to, toUnit.perSecond(), unit.perSecond());
  }

  private static @Nullable Cast runs(Field from, Field to) {
    Field values = to.children().getLast();
    boolean isPlain = values.dictionary() == null && Layout.of(values.type()).childCount() == 0;
    Cast cast = isPlain ? of(from, values) : null;
    return cast == null ? null : new RunEndCast(cast, to);
  }

  private static @Nullable Cast lists(Field from, Field to) {
    boolean sameLayout = Layout.of(from).equals(Layout.of(to)) && from.type().equals(to.type());
    if (!sameLayout && !(from.type() instanceof ArrowType.List)) {
      return null;
    }
    Cast items = of(from.children().getFirst(), to.children().getFirst());
    if (items == null) {
      return null;
    }
    return sameLayout ? children(to, List.of(items)) : new ListCast(items, to);
  }

  private static @Nullable Cast children(Field from, Field to) {
    if (from.children().size() != to.children().size()) {
      return null;
    }
    List<Cast> casts = new ArrayList<>();
    for (int i = 0; i < to.children().size(); i++) {
      Cast cast = of(from.children().get(i), to.children().get(i));
      if (cast == null) {
        return null;
      }
      casts.add(cast);
    }
    return children(to, casts);
  }

  static Cast children(Field to, List<Cast> casts) {
    return (array, allocator) -> {
      List<ArrayData> children = new ArrayList<>();
      for (int i = 0; i < casts.size(); i++) {
        children.add(casts.get(i).apply(array.children().get(i), allocator));
      }
      return new ArrayData(to, array.length(), array.nullCount(), array.buffers(), children, null);
    };
  }

  /// Returns an array with the same nulls and other buffers.
  ///
  /// @param buffers those after the validity
  static ArrayData withBuffers(ArrayData array, Field to, MemorySegment... buffers) {
    List<MemorySegment> all = new ArrayList<>(List.of(buffers));
    all.addFirst(array.buffers().getFirst());
    return new ArrayData(to, array.length(), array.nullCount(), all, List.of(), null);
  }

  /// Returns an array with the same nulls and integers of at most eight bytes.
  ///
  /// @param values returns the integer of a slot that is not null, by its index
  static ArrayData integers(
      ArrayData array,
      Field to,
      int byteWidth,
      LongUnaryOperator values,
      SegmentAllocator allocator) {
    Array nulls = Array.of(array);
    MemorySegment data = allocator.allocate(array.length() * byteWidth, Long.BYTES);
    for (long i = 0; i < array.length(); i++) {
      long value = nulls.isNull(i) ? 0 : values.applyAsLong(i);
      switch (byteWidth) {
        case 1 -> LittleEndian.setInt8(data, i, (byte) value);
        case 2 -> LittleEndian.setInt16(data, i << 1, (short) value);
        case 4 -> LittleEndian.setInt32(data, i << 2, (int) value);
        default -> LittleEndian.setInt64(data, i << 3, value);
      }
    }
    return withBuffers(array, to, data);
  }

  static Cast retyped(Field to) {
    return (array, _) ->
        new ArrayData(
            to, array.length(), array.nullCount(), array.buffers(), array.children(), null);
  }

  private static ArrayData nulls(ArrayData array, Field to) {
    long length = array.length();
    long valueCount = length - array.countNulls(0, length);
    if (valueCount > 0) {
      throw InvalidCastException.withoutValue("nulls alone", valueCount + " values", to);
    }
    return new ArrayData(to, length, length, List.of(), List.of(), null);
  }
}
