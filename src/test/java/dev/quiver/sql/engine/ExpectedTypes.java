package dev.quiver.sql.engine;

import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The types and values that `SELECT *` must return for those of a table: a statement of the rules
/// that is independent of the engine.
final class ExpectedTypes {

  private static final long DAY_MILLISECONDS = 86_400_000;
  private static final long SECOND_NANOSECONDS = 1_000_000_000;

  private ExpectedTypes() {}

  /// Returns whether DuckDB has a type for the field.
  static boolean isSupported(Field field) {
    boolean own =
        switch (field.type()) {
          case ArrowType.Decimal(int precision, int scale, _) -> precision <= 38 && scale >= 0;
          case ArrowType.FixedSizeList(int size) -> size > 0;
          case ArrowType.Struct() -> !field.children().isEmpty();
          default -> true;
        };
    return own && field.children().stream().allMatch(ExpectedTypes::isSupported);
  }

  /// Returns the field of the result.
  static Field field(Field field) {
    return field(field, field.name());
  }

  private static Field field(Field field, String name) {
    return switch (field.type()) {
      case ArrowType.FloatingPoint(Precision precision) when precision == Precision.HALF ->
          Field.of(name, true, new ArrowType.FloatingPoint(Precision.SINGLE));
      case ArrowType.Decimal(int precision, int scale, _) ->
          Field.of(name, true, new ArrowType.Decimal(Math.max(precision, scale), scale, 128));
      case ArrowType.Date _ -> Field.of(name, true, new ArrowType.Date(DateUnit.DAY));
      case ArrowType.Time(TimeUnit unit, _) ->
          Field.of(
              name,
              true,
              new ArrowType.Time(unit == TimeUnit.NANOSECOND ? unit : TimeUnit.MICROSECOND, 64));
      case ArrowType.Timestamp(TimeUnit unit, String zone) when zone != null ->
          Field.of(
              name,
              true,
              new ArrowType.Timestamp(
                  unit == TimeUnit.NANOSECOND ? unit : TimeUnit.MICROSECOND, "UTC"));
      case ArrowType.Duration _, ArrowType.Interval _ ->
          Field.of(name, true, new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO));
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() ->
          Field.of(name, true, new ArrowType.Utf8());
      case ArrowType.Binary(),
          ArrowType.LargeBinary(),
          ArrowType.BinaryView(),
          ArrowType.FixedSizeBinary _ ->
          Field.of(name, true, new ArrowType.Binary());
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView() ->
          Field.of(name, true, new ArrowType.List(), field(field.children().getFirst(), "item"));
      case ArrowType.FixedSizeList type ->
          Field.of(name, true, type, field(field.children().getFirst(), "item"));
      case ArrowType.Struct() -> Field.of(name, true, field.type(), children(field));
      case ArrowType.Map _ -> {
        Field entries = field.children().getFirst();
        Field key = field(entries.children().getFirst(), "key");
        Field value = field(entries.children().getLast(), "value");
        Field required = new Field("key", false, key.type(), null, key.children(), Metadata.EMPTY);
        yield Field.of(
            name,
            true,
            new ArrowType.Map(false),
            Field.of("entries", false, new ArrowType.Struct(), required, value));
      }
      case ArrowType.Union(_, List<Integer> typeIds) ->
          Field.of(
              name,
              true,
              new ArrowType.Union(
                  UnionMode.SPARSE, IntStream.range(0, typeIds.size()).boxed().toList()),
              children(field));
      case ArrowType.RunEndEncoded() -> field(field.children().getLast(), name);
      default -> Field.of(name, true, field.type());
    };
  }

  private static Field[] children(Field field) {
    return field.children().stream().map(ExpectedTypes::field).toArray(Field[]::new);
  }

  /// Returns a value that DuckDB can hold: the same if possible.
  static @Nullable Object tame(Field field, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (field.type()) {
      case ArrowType.Timestamp(TimeUnit unit, String zone) when zone != null ->
          switch (unit) {
            case SECOND -> (long) value / 1_000_000;
            case MILLISECOND -> (long) value / 1000;
            case MICROSECOND, NANOSECOND -> value;
          };
      case ArrowType.Duration(TimeUnit unit) ->
          switch (unit) {
            case SECOND -> (long) value / SECOND_NANOSECONDS;
            case MILLISECOND -> (long) value / 1_000_000;
            case MICROSECOND -> (long) value / 1000;
            case NANOSECOND -> (long) value / 1000 * 1000;
          };
      case ArrowType.Interval(IntervalUnit unit) when unit == IntervalUnit.MONTH_DAY_NANO -> {
        var interval = (IntervalValue.MonthDayNano) value;
        yield new IntervalValue.MonthDayNano(
            interval.months(), interval.days(), interval.nanoseconds() / 1000 * 1000);
      }
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _ ->
          mapped((List<?>) value, item -> tame(field.children().getFirst(), item));
      case ArrowType.Struct() -> tuple(field, (List<?>) value, ExpectedTypes::tame);
      case ArrowType.Map _ -> {
        Map<@Nullable Object, Object> entries = new LinkedHashMap<>();
        for (Object entry : (List<?>) value) {
          Object tamed = tuple(field.children().getFirst(), (List<?>) entry, ExpectedTypes::tame);
          // Null keys and duplicate ones are rejected.
          Object key = ((List<?>) tamed).getFirst();
          if (key != null) {
            entries.put(key, tamed);
          }
        }
        yield List.copyOf(entries.values());
      }
      case ArrowType.Union(_, List<Integer> typeIds) -> {
        UnionValue union = (UnionValue) value;
        Field member = field.children().get(typeIds.indexOf(union.typeId()));
        yield new UnionValue(union.typeId(), tame(member, union.value()));
      }
      case ArrowType.RunEndEncoded() -> tame(field.children().getLast(), value);
      default -> value;
    };
  }

  /// Returns the value of the result.
  static @Nullable Object value(Field field, @Nullable Object value) {
    if (value == null) {
      // Arrow has no null unions.
      return switch (field.type()) {
        case ArrowType.Union _ -> new UnionValue(0, value(field.children().getFirst(), null));
        case ArrowType.RunEndEncoded() -> value(field.children().getLast(), null);
        default -> null;
      };
    }
    return switch (field.type()) {
      case ArrowType.Date(DateUnit unit) when unit == DateUnit.MILLISECOND ->
          (long) value / DAY_MILLISECONDS;
      case ArrowType.Time(TimeUnit unit, _) when unit != TimeUnit.NANOSECOND ->
          (long) value * nanoseconds(unit) / 1000;
      case ArrowType.Timestamp(TimeUnit unit, String zone)
          when zone != null && unit != TimeUnit.NANOSECOND ->
          Math.multiplyExact((long) value, nanoseconds(unit) / 1000);
      case ArrowType.Duration(TimeUnit unit) ->
          new IntervalValue.MonthDayNano(0, 0, Math.multiplyExact((long) value, nanoseconds(unit)));
      case ArrowType.Interval(IntervalUnit unit) ->
          switch (unit) {
            case YEAR_MONTH -> new IntervalValue.MonthDayNano((int) (long) value, 0, 0);
            case DAY_TIME -> {
              var interval = (IntervalValue.DayTime) value;
              yield new IntervalValue.MonthDayNano(
                  0, interval.days(), interval.milliseconds() * 1_000_000L);
            }
            case MONTH_DAY_NANO -> value;
          };
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _ ->
          mapped((List<?>) value, item -> value(field.children().getFirst(), item));
      case ArrowType.Map _ ->
          mapped(
              (List<?>) value,
              entry ->
                  tuple(
                      field.children().getFirst(),
                      (List<?>) Objects.requireNonNull(entry),
                      ExpectedTypes::value));
      case ArrowType.Struct() -> tuple(field, (List<?>) value, ExpectedTypes::value);
      case ArrowType.Union(_, List<Integer> typeIds) -> {
        UnionValue union = (UnionValue) value;
        int index = typeIds.indexOf(union.typeId());
        yield new UnionValue(index, value(field.children().get(index), union.value()));
      }
      case ArrowType.RunEndEncoded() -> value(field.children().getLast(), value);
      case ArrowType.Decimal _ -> (BigInteger) value;
      default -> value;
    };
  }

  private interface ValueMapping {
    @Nullable Object of(@Nullable Object value);
  }

  private interface FieldMapping {
    @Nullable Object of(Field field, @Nullable Object value);
  }

  private static List<@Nullable Object> mapped(List<?> values, ValueMapping mapping) {
    List<@Nullable Object> mapped = new ArrayList<>();
    values.forEach(value -> mapped.add(mapping.of(value)));
    return mapped;
  }

  private static List<@Nullable Object> tuple(Field field, List<?> values, FieldMapping mapping) {
    List<@Nullable Object> mapped = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      mapped.add(mapping.of(field.children().get(i), values.get(i)));
    }
    return mapped;
  }

  private static long nanoseconds(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> SECOND_NANOSECONDS;
      case MILLISECOND -> 1_000_000;
      case MICROSECOND -> 1000;
      case NANOSECOND -> 1;
    };
  }
}
