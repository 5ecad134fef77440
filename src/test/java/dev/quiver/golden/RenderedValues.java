package dev.quiver.golden;

import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A parser of rendered JSON to values in the form of [dev.quiver.arrow.array.Values], based on
/// Jackson and the JDK's calendar. Members of objects are matched by position, not by name.
final class RenderedValues {

  private static final Pattern DATE = Pattern.compile("([+-]?\\d{4,})-(\\d\\d)-(\\d\\d)");
  private static final Pattern TIME =
      Pattern.compile("(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{3}|\\d{6}|\\d{9}))?");
  private static final Pattern INTERVAL =
      Pattern.compile("P(?:(-?\\d+)M)?(?:(-?\\d+)D)?(?:T(-?[\\d.]+)S)?");

  private RenderedValues() {}

  static @Nullable Object of(Field field, JsonNode json) {
    if (field.type() instanceof ArrowType.RunEndEncoded) {
      return of(field.children().getLast(), json);
    }
    if (json.isNull()) {
      return null;
    }
    return switch (field.type()) {
      case ArrowType.Null() -> throw new AssertionError(json);
      case ArrowType.Bool() -> json.booleanValue();
      case ArrowType.Int _ -> integer(json.bigIntegerValue());
      case ArrowType.FloatingPoint(Precision precision) -> floatingPoint(precision, json);
      case ArrowType.Decimal(_, int scale, _) ->
          json.decimalValue().setScale(scale).unscaledValue();
      case ArrowType.Date(DateUnit unit) ->
          switch (unit) {
            case DAY -> days(json.stringValue());
            // Some golden files have milliseconds that are not whole days.
            case MILLISECOND ->
                json.stringValue().contains("T")
                    ? timestamp(json.stringValue(), TimeUnit.MILLISECOND, false)
                    : (Object) (days(json.stringValue()) * 86_400_000);
          };
      case ArrowType.Time(TimeUnit unit, _) -> integer(time(json.stringValue(), unit));
      case ArrowType.Timestamp(TimeUnit unit, var timezone) ->
          timestamp(json.stringValue(), unit, timezone != null);
      case ArrowType.Duration(TimeUnit unit) ->
          integer(units(matched(INTERVAL, json).group(3), unit));
      case ArrowType.Interval(IntervalUnit unit) -> interval(unit, matched(INTERVAL, json));
      case ArrowType.Binary(),
          ArrowType.LargeBinary(),
          ArrowType.BinaryView(),
          ArrowType.FixedSizeBinary _ ->
          field.isUuid()
              ? ByteString.of(HexFormat.of().parseHex(json.stringValue().replace("-", "")))
              : ByteString.of(Base64.getDecoder().decode(json.stringValue()));
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() -> json.stringValue();
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _ -> {
        List<@Nullable Object> items = new ArrayList<>();
        json.values().forEach(item -> items.add(of(field.children().getFirst(), item)));
        yield Collections.unmodifiableList(items);
      }
      case ArrowType.Struct() -> tuple(field.children(), json);
      case ArrowType.Map _ -> map(field.children().getFirst().children(), json);
      case ArrowType.Union type -> {
        String name = json.propertyNames().iterator().next();
        List<String> names = field.children().stream().map(Field::name).toList();
        int child = names.indexOf(name);
        yield new UnionValue(
            type.typeIds().get(child), of(field.children().get(child), json.get(name)));
      }
      case ArrowType.RunEndEncoded() -> throw new AssertionError(json);
    };
  }

  /// Returns the values of a struct or row.
  static List<@Nullable Object> tuple(List<Field> fields, JsonNode json) {
    if (json.size() != fields.size()) {
      throw new AssertionError(fields + " in " + json);
    }
    List<@Nullable Object> tuple = new ArrayList<>();
    for (JsonNode member : json.values()) {
      tuple.add(of(fields.get(tuple.size()), member));
    }
    return Collections.unmodifiableList(tuple);
  }

  private static List<@Nullable Object> map(List<Field> keyAndValue, JsonNode json) {
    List<@Nullable Object> entries = new ArrayList<>();
    if (json.isObject()) {
      json.forEachEntry((key, value) -> {
        List<@Nullable Object> entry = new ArrayList<>();
        entry.add(key);
        entry.add(of(keyAndValue.getLast(), value));
        entries.add(entry);
      });
    } else {
      json.values().forEach(pair -> entries.add(tuple(keyAndValue, pair)));
    }
    return entries;
  }

  private static Object floatingPoint(Precision precision, JsonNode json) {
    String digits = json.decimalValue().toString();
    return switch (precision) {
      case HALF -> (double) Float.float16ToFloat(Float.floatToFloat16(Float.parseFloat(digits)));
      case SINGLE -> (double) Float.parseFloat(digits);
      case DOUBLE -> Double.parseDouble(digits);
    };
  }

  private static Matcher matched(Pattern pattern, JsonNode json) {
    return matched(pattern, json.stringValue());
  }

  private static Matcher matched(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new AssertionError(pattern + " does not match " + text);
    }
    return matcher;
  }

  /// Returns the days since 1970. The JDK's range does not cover all dates, but the calendar
  /// repeats every 400 years.
  private static long days(String date) {
    Matcher matcher = matched(DATE, date);
    long year = Long.parseLong(matcher.group(1));
    LocalDate day =
        LocalDate.of(
            2000 + (int) Math.floorMod(year, 400L),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3)));
    return day.toEpochDay() + (Math.floorDiv(year, 400L) - 5) * 146_097;
  }

  private static BigInteger time(String time, TimeUnit unit) {
    Matcher matcher = matched(TIME, time);
    String fraction = matcher.group(4) == null ? "" : "." + matcher.group(4);
    long seconds =
        Long.parseLong(matcher.group(1)) * 3600
            + Long.parseLong(matcher.group(2)) * 60
            + Long.parseLong(matcher.group(3));
    return units(seconds + fraction, unit);
  }

  private static Object timestamp(String text, TimeUnit unit, boolean utc) {
    if (text.endsWith("Z") != utc) {
      throw new AssertionError(text);
    }
    String[] parts = text.replace("Z", "").split("T");
    BigInteger midnight = units(days(parts[0]) * 86_400 + "", unit);
    return integer(midnight.add(time(parts[1], unit)));
  }

  private static BigInteger units(String seconds, TimeUnit unit) {
    return new BigDecimal(seconds).scaleByPowerOfTen(3 * unit.ordinal()).toBigIntegerExact();
  }

  private static Object interval(IntervalUnit unit, Matcher matcher) {
    int months = Integer.parseInt(orZero(matcher.group(1)));
    int days = Integer.parseInt(orZero(matcher.group(2)));
    String seconds = orZero(matcher.group(3));
    return switch (unit) {
      case YEAR_MONTH -> (long) months;
      case DAY_TIME ->
          new IntervalValue.DayTime(days, units(seconds, TimeUnit.MILLISECOND).intValueExact());
      case MONTH_DAY_NANO ->
          new IntervalValue.MonthDayNano(
              months, days, units(seconds, TimeUnit.NANOSECOND).longValueExact());
    };
  }

  private static String orZero(@Nullable String digits) {
    return digits == null ? "0" : digits;
  }

  private static Object integer(BigInteger value) {
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }
}
