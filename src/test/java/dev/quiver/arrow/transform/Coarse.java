package dev.quiver.arrow.transform;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A field of the types that Parquet has, for one of any type, and what the values of that field
/// are in it.
///
/// @param value converts a value that is not null; throws an [ArithmeticException] if it is too
///   large
record Coarse(Field field, UnaryOperator<Object> value) {

  /// Returns null for types that no cast leads to.
  static @Nullable Coarse of(Field to) {
    if (to.dictionary() != null) {
      return Layout.of(to.type()).childCount() == 0 ? of(to.withDictionary(null)) : null;
    }
    return switch (to.type()) {
      case ArrowType.Int(int bitWidth, boolean signed) ->
          flat(new ArrowType.Int(64, signed || bitWidth < 64), value -> value);
      case ArrowType.FloatingPoint(Precision precision) ->
          precision == Precision.HALF
              ? flat(new ArrowType.FloatingPoint(Precision.SINGLE), value -> value)
              : flat(to.type(), value -> value);
      case ArrowType.Decimal(int precision, int scale, _) ->
          precision <= 38
              ? flat(new ArrowType.Decimal(precision, scale, 128), value -> value)
              : flat(to.type(), value -> value);
      case ArrowType.Date(DateUnit unit) ->
          unit == DateUnit.DAY
              ? flat(to.type(), value -> value)
              : flat(
                  new ArrowType.Date(DateUnit.DAY),
                  value -> (long) Math.toIntExact((long) value / 86_400_000));
      case ArrowType.Time(TimeUnit unit, _) ->
          unit == TimeUnit.NANOSECOND
              ? flat(to.type(), value -> value)
              : flat(new ArrowType.Time(TimeUnit.MICROSECOND, 64), microseconds(unit));
      case ArrowType.Timestamp(TimeUnit unit, String timezone) ->
          unit == TimeUnit.NANOSECOND
              ? flat(new ArrowType.Timestamp(unit, "UTC"), value -> value)
              : flat(
                  new ArrowType.Timestamp(TimeUnit.MICROSECOND, timezone == null ? null : "UTC"),
                  microseconds(unit));
      case ArrowType.Duration _ -> flat(new ArrowType.Int(64, true), value -> value);
      case ArrowType.LargeUtf8(), ArrowType.Utf8View() ->
          flat(new ArrowType.Utf8(), value -> value);
      case ArrowType.LargeBinary(), ArrowType.BinaryView(), ArrowType.FixedSizeBinary _ ->
          flat(new ArrowType.Binary(), value -> value);
      case ArrowType.Null() -> flat(new ArrowType.Int(32, true), value -> value);
      case ArrowType.Bool(), ArrowType.Utf8(), ArrowType.Binary() ->
          flat(to.type(), value -> value);
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _ ->
          lists(to, new ArrowType.List());
      case ArrowType.Map _ -> lists(to, new ArrowType.Map(false));
      case ArrowType.Struct() -> struct(to);
      case ArrowType.Union _, ArrowType.RunEndEncoded(), ArrowType.Interval _ -> null;
    };
  }

  private static UnaryOperator<Object> microseconds(TimeUnit unit) {
    long factor = unit == TimeUnit.SECOND ? 1_000_000 : unit == TimeUnit.MILLISECOND ? 1_000 : 1;
    return value -> Math.multiplyExact((long) value, factor);
  }

  private static Coarse flat(ArrowType type, UnaryOperator<Object> value) {
    return new Coarse(Field.of("", true, type), value);
  }

  private static @Nullable Coarse lists(Field to, ArrowType type) {
    Coarse items = of(to.children().getFirst());
    return items == null
        ? null
        : new Coarse(
            Field.of("", true, type, named(items.field, type instanceof ArrowType.Map)),
            value -> items.values((List<?>) value));
  }

  /// Returns the field of items. Entries of a map are not null.
  private static Field named(Field field, boolean entries) {
    return new Field(
        entries ? "entries" : "item",
        !entries,
        field.type(),
        null,
        field.children(),
        field.metadata());
  }

  private static @Nullable Coarse struct(Field to) {
    List<Coarse> children = new ArrayList<>();
    for (Field child : to.children()) {
      Coarse coarse = of(child);
      if (coarse == null) {
        return null;
      }
      children.add(coarse);
    }
    return new Coarse(
        Field.of("", true, to.type(), children.stream().map(Coarse::field).toArray(Field[]::new)),
        value -> {
          List<?> tuple = (List<?>) value;
          List<@Nullable Object> converted = new ArrayList<>();
          for (int i = 0; i < tuple.size(); i++) {
            converted.add(children.get(i).valueOrNull(tuple.get(i)));
          }
          return Collections.unmodifiableList(converted);
        });
  }

  /// Returns whether no value is too large.
  boolean mayHold(List<? extends @Nullable Object> values) {
    try {
      values(values);
      return true;
    } catch (ArithmeticException e) {
      return false;
    }
  }

  List<@Nullable Object> values(List<? extends @Nullable Object> values) {
    List<@Nullable Object> converted = new ArrayList<>();
    values.forEach(value -> converted.add(valueOrNull(value)));
    return Collections.unmodifiableList(converted);
  }

  private @Nullable Object valueOrNull(@Nullable Object found) {
    return found == null ? null : value.apply(found);
  }
}
