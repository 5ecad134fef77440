package dev.quiver.web;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DateUnit;
import dev.quiver.columnar.TimeUnit;
import dev.quiver.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.StringJoiner;

/// One value as a person reads it on the page, shortened when long; no format for machines.
final class CellText {

  private static final int MAXIMUM_CHARACTERS = 120;
  private static final int MAXIMUM_ITEMS = 10;
  private static final int MAXIMUM_HEX_BYTES = 16;
  private static final String MORE = "…";

  private CellText() {}

  /// The value of a slot of validated data, which may be null.
  static String of(Array array, long slot) {
    String text = array.isNull(slot) ? "null" : value(array, slot);
    if (text.length() <= MAXIMUM_CHARACTERS) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(MAXIMUM_CHARACTERS - 1));
    return text.substring(0, splitsPair ? MAXIMUM_CHARACTERS - 1 : MAXIMUM_CHARACTERS) + MORE;
  }

  private static String value(Array array, long slot) {
    return switch (array) {
      case Array.Null _ -> "null";
      case Array.Bool bool -> Boolean.toString(bool.get(slot));
      case Array.FixedWidth fixed -> fixedWidth(fixed, slot);
      case Array.Bytes bytes -> bytes(bytes, slot);
      case Array.Lists lists -> list(lists, slot);
      case Array.Struct struct -> struct(struct, slot);
      case Array.Union union -> of(union.child(union.childIndex(slot)), union.childSlot(slot));
      case Array.RunEndEncoded runs -> of(runs.values(), runs.run(slot));
      case Array.DictionaryEncoded encoded -> of(encoded.dictionary(), encoded.index(slot));
    };
  }

  private static String bytes(Array.Bytes array, long slot) {
    return switch (array.data().field().type()) {
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() -> text(array.bytes(slot));
      default -> hexadecimal(array.bytes(slot));
    };
  }

  /// As much of the text as is shown, whatever its length.
  private static String text(MemorySegment bytes) {
    long byteSize = Math.min(bytes.byteSize(), 4L * MAXIMUM_CHARACTERS);
    byte[] start = bytes.asSlice(0, byteSize).toArray(LittleEndian.INT8);
    return new String(start, StandardCharsets.UTF_8) + (byteSize < bytes.byteSize() ? MORE : "");
  }

  private static String hexadecimal(MemorySegment bytes) {
    long byteSize = Math.min(bytes.byteSize(), MAXIMUM_HEX_BYTES);
    byte[] start = bytes.asSlice(0, byteSize).toArray(LittleEndian.INT8);
    return HexFormat.of().formatHex(start) + (byteSize < bytes.byteSize() ? MORE : "");
  }

  private static String fixedWidth(Array.FixedWidth array, long slot) {
    return switch (array.data().field().type()) {
      case ArrowType.Int(int bitWidth, boolean signed) ->
          signed || bitWidth < 64
              ? Long.toString(array.integer(slot))
              : Long.toUnsignedString(array.integer(slot));
      case ArrowType.FloatingPoint(var precision) ->
          precision.bitWidth() == 64
              ? Double.toString(array.floatingPoint(slot))
              : Float.toString((float) array.floatingPoint(slot));
      case ArrowType.Decimal(_, int scale, _) -> decimal(array.bytes(slot), scale).toString();
      case ArrowType.Date(DateUnit unit) -> date(array.integer(slot), unit);
      case ArrowType.Time(TimeUnit unit, _) -> time(array.integer(slot), unit);
      case ArrowType.Timestamp(TimeUnit unit, var zone) ->
          timestamp(array.integer(slot), unit, zone != null);
      case ArrowType.Duration(TimeUnit unit) -> array.integer(slot) + " " + unit.symbol();
      default -> hexadecimal(array.bytes(slot));
    };
  }

  private static BigDecimal decimal(MemorySegment bytes, int scale) {
    byte[] bigEndian = new byte[(int) bytes.byteSize()];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[i] = LittleEndian.getInt8(bytes, bigEndian.length - 1L - i);
    }
    return new BigDecimal(new BigInteger(bigEndian), scale);
  }

  private static String date(long value, DateUnit unit) {
    try {
      return switch (unit) {
        case DAY -> LocalDate.ofEpochDay(value).toString();
        case MILLISECOND ->
            LocalDate.ofInstant(Instant.ofEpochMilli(value), ZoneOffset.UTC).toString();
      };
    } catch (DateTimeException outOfRange) {
      return value + (unit == DateUnit.DAY ? " days" : " ms");
    }
  }

  private static String time(long value, TimeUnit unit) {
    try {
      return LocalTime.ofNanoOfDay(
              Math.multiplyExact(value, chronoUnit(unit).getDuration().toNanos()))
          .toString();
    } catch (DateTimeException | ArithmeticException outOfRange) {
      return value + " " + unit.symbol();
    }
  }

  private static String timestamp(long value, TimeUnit unit, boolean utc) {
    try {
      String text = instant(value, unit).toString().replace('T', ' ');
      return utc ? text : text.substring(0, text.length() - 1);
    } catch (DateTimeException | ArithmeticException outOfRange) {
      return value + " " + unit.symbol();
    }
  }

  private static Instant instant(long value, TimeUnit unit) {
    return Instant.EPOCH.plus(value, chronoUnit(unit));
  }

  private static ChronoUnit chronoUnit(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> ChronoUnit.SECONDS;
      case MILLISECOND -> ChronoUnit.MILLIS;
      case MICROSECOND -> ChronoUnit.MICROS;
      case NANOSECOND -> ChronoUnit.NANOS;
    };
  }

  private static String list(Array.Lists array, long slot) {
    Array values = array.values();
    long end = Math.min(array.end(slot), array.start(slot) + MAXIMUM_ITEMS);
    StringJoiner items = new StringJoiner(", ");
    for (long i = array.start(slot); i < end; i++) {
      items.add(of(values, i));
    }
    return items + (end < array.end(slot) ? ", " + MORE : "");
  }

  private static String struct(Array.Struct array, long slot) {
    StringJoiner members = new StringJoiner(", ");
    int childCount = Math.min(array.data().children().size(), MAXIMUM_ITEMS);
    for (int i = 0; i < childCount; i++) {
      Array child = array.child(i);
      members.add(child.data().field().name() + " " + of(child, slot));
    }
    return members.toString();
  }
}
