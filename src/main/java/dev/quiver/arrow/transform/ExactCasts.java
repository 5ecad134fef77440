package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The casts that keep the meaning of each value, by which rows of one library follow those of
/// another. A value that the other type lacks is an [InvalidCastException].
///
/// | from | to |
/// | --- | --- |
/// | null | any type but unions and run ends |
/// | a dictionary | the type of its values, or one that it casts to |
/// | utf8, large utf8, utf8 view | each other; so are binary, its large form and its view, and fixed-size binary |
/// | integer, floating point | each other |
/// | integer, decimal | each other |
/// | decimal | floating point |
/// | date, timestamp without zone | each other, where a date is a midnight |
/// | timestamp with zone | timestamp of another unit or zone |
/// | time, duration | time, duration of another unit |
/// | list, in any layout | list, in any layout |
/// | struct | struct with the same fields in any order, and nullable ones in addition |
/// | map | map |
/// | any of these | a dictionary without an order |
///
/// Extension types are equal, and values become nullable or, if none is null, the opposite.
public final class ExactCasts {

  private static final long SECONDS_PER_DAY = 86_400;

  private ExactCasts() {}

  /// Returns the cast, or null if impossible.
  public static @Nullable Cast of(Field from, Field to) {
    Cast cast = ofNullable(from, to);
    return cast == null || to.nullable() || !mayHaveNulls(from) ? cast : new WithoutNulls(cast, to);
  }

  /// Returns whether slots of a field may be null, whatever it states: a dictionary may have nulls.
  static boolean mayHaveNulls(Field field) {
    return field.nullable()
        || field.dictionary() != null
        || field.storageType() instanceof ArrowType.Null;
  }

  /// Returns whether a slot is null, by itself or by the value of a dictionary that it refers to.
  static boolean isNull(Array slots, long index) {
    return slots.isNull(index)
        || slots instanceof Array.DictionaryEncoded encoded
            && encoded.data().dictionary() != null
            && isNull(encoded.dictionary(), encoded.index(index));
  }

  /// Returns columns whose slots are all null, or null if impossible.
  public static @Nullable Cast nulls(Field to) {
    return NullArrays.exist(to)
        ? (array, allocator) -> NullArrays.of(to, array.length(), allocator)
        : null;
  }

  /// Returns the cast without regard to nulls of the field itself, or null if impossible.
  static @Nullable Cast ofNullable(Field from, Field to) {
    if (from.storageType() instanceof ArrowType.Null) {
      return nulls(to.withNullable(true));
    }
    if (!from.extension().equals(to.extension())) {
      return null;
    }
    if (from.dictionary() != null) {
      Field plain = from.withDictionary(null);
      Cast values = ofNullable(plain, to);
      return values == null ? null : new DictionaryDecoding(plain, values);
    }
    DictionaryEncoding encoding = to.dictionary();
    if (encoding != null) {
      boolean isPossible = !encoding.ordered() && Layout.of(to.type()).childCount() == 0;
      Cast values = isPossible ? ofNullable(from, to.withDictionary(null)) : null;
      return values == null ? null : new DictionaryCast(values, to);
    }
    return switch (to.type()) {
      case ArrowType.Struct() ->
          from.type() instanceof ArrowType.Struct ? StructCast.of(from, to) : null;
      case ArrowType.Map(boolean keysSorted) -> maps(from, to, keysSorted);
      case ArrowType.ListLike _ -> lists(from, to);
      default -> {
        boolean isSame = from.type().equals(to.type()) && from.children().equals(to.children());
        yield isSame ? Casts.retyped(to) : values(from, to);
      }
    };
  }

  /// Returns the cast of types without children that differ.
  private static @Nullable Cast values(Field from, Field to) {
    ArrowType type = from.type();
    return switch (to.type()) {
      case ArrowType.Text _ -> type instanceof ArrowType.Text ? BytesCast.of(to) : null;
      case ArrowType.Bytes _ ->
          type instanceof ArrowType.Bytes && !(type instanceof ArrowType.Text)
              ? BytesCast.of(to)
              : null;
      case ArrowType.Int _ ->
          switch (type) {
            case ArrowType.Int _ -> IntegerCast.of(from, to);
            case ArrowType.FloatingPoint _ -> NumberCast.of(from, to);
            case ArrowType.Decimal _ -> RescaledDecimals.of(from, to);
            default -> null;
          };
      case ArrowType.FloatingPoint _ ->
          type instanceof ArrowType.Int
                  || type instanceof ArrowType.FloatingPoint
                  || type instanceof ArrowType.Decimal
              ? NumberCast.of(from, to)
              : null;
      case ArrowType.Decimal _ ->
          type instanceof ArrowType.Int || type instanceof ArrowType.Decimal
              ? RescaledDecimals.of(from, to)
              : null;
      case ArrowType.Duration(TimeUnit unit) ->
          type instanceof ArrowType.Duration(TimeUnit other) ? scaled(from, other, to, unit) : null;
      case ArrowType.Time(TimeUnit unit, _) ->
          type instanceof ArrowType.Time(TimeUnit other, _) ? scaled(from, other, to, unit) : null;
      case ArrowType.Timestamp(_, var zone) when isZoned(zone) ->
          type instanceof ArrowType.Timestamp(_, var other) && isZoned(other)
              ? days(from, to)
              : null;
      case ArrowType.Timestamp _, ArrowType.Date _ ->
          type instanceof ArrowType.Timestamp(_, var other) && isZoned(other) || perDay(type) == 0
              ? null
              : days(from, to);
      default -> null;
    };
  }

  private static boolean isZoned(@Nullable String zone) {
    return zone != null && !zone.isEmpty();
  }

  private static Cast scaled(Field from, TimeUnit unit, Field to, TimeUnit toUnit) {
    return IntegerCast.scaled(from, to, toUnit.perSecond(), unit.perSecond());
  }

  private static Cast days(Field from, Field to) {
    Cast cast = IntegerCast.scaled(from, to, perDay(to.type()), perDay(from.type()));
    if (!(to.type() instanceof ArrowType.Date && from.type() instanceof ArrowType.Timestamp)) {
      return cast;
    }
    // A date in milliseconds has whole days alone.
    Field day = Field.of(from.name(), from.nullable(), new ArrowType.Date(DateUnit.DAY));
    Cast toDays = IntegerCast.scaled(from, day, 1, perDay(from.type()));
    return (array, allocator) -> {
      ArrayData _ = toDays.apply(array, allocator);
      return cast.apply(array, allocator);
    };
  }

  /// Returns the numbers of the type in a day, or 0 if it is neither a date nor a timestamp.
  private static long perDay(ArrowType type) {
    return switch (type) {
      case ArrowType.Date(DateUnit unit) ->
          unit == DateUnit.DAY ? 1 : SECONDS_PER_DAY * TimeUnit.MILLISECOND.perSecond();
      case ArrowType.Timestamp(TimeUnit unit, _) -> SECONDS_PER_DAY * unit.perSecond();
      default -> 0;
    };
  }

  private static @Nullable Cast lists(Field from, Field to) {
    if (!(from.type() instanceof ArrowType.ListLike)) {
      return null;
    }
    Cast items = of(from.children().getFirst(), to.children().getFirst());
    // Items that no list has are not cast.
    return items == null
        ? null
        : (array, allocator) ->
            new ListCast(items, to).apply(Concatenation.compact(array, allocator), allocator);
  }

  /// The names of a map's entries are not data.
  private static @Nullable Cast maps(Field from, Field to, boolean keysSorted) {
    if (!(from.type() instanceof ArrowType.Map(boolean sorted)) || keysSorted && !sorted) {
      return null;
    }
    Field entries = from.children().getFirst();
    Field toEntries = to.children().getFirst();
    List<Cast> casts = new ArrayList<>();
    for (int i = 0; i < entries.children().size(); i++) {
      Cast cast = of(entries.children().get(i), toEntries.children().get(i));
      if (cast == null) {
        return null;
      }
      casts.add(cast);
    }
    Cast all = Casts.children(to, List.of(Casts.children(toEntries, casts)));
    return (array, allocator) -> all.apply(Concatenation.compact(array, allocator), allocator);
  }

  /// A cast to a field that is not nullable.
  private record WithoutNulls(Cast cast, Field to) implements Cast {

    @Override
    public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
      Array slots = Array.of(array);
      for (long i = 0; i < array.length(); i++) {
        if (isNull(slots, i)) {
          throw InvalidCastException.withoutValue("a value", "null", to);
        }
      }
      return cast.apply(array, allocator);
    }
  }
}
