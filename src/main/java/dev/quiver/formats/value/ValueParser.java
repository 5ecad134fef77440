package dev.quiver.formats.value;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A parser of ASCII texts of one type, which gives values as the slots of an array have them. Used
/// by one thread.
public abstract class ValueParser {

  private static final int MICROSECOND_DIGITS = 6;
  private static final int NANOSECOND_DIGITS = 9;

  long low;
  long high;
  long third;
  long fourth;

  /// Returns a parser of texts of a type of fixed width, other than booleans: numbers, times, or
  /// UUIDs for fixed-size binary.
  ///
  /// @param point the decimal separator
  /// @param format how dates and timestamps are written, or null for ISO 8601
  /// @param canonical whether a number must be written without surplus zeros and plus signs
  public static ValueParser of(
      ArrowType type, char point, @Nullable TimeFormat format, boolean canonical) {
    return switch (type) {
      case ArrowType.Int(int bitWidth, boolean signed) ->
          new IntegerParser(bitWidth, signed, point, canonical);
      case ArrowType.FloatingPoint(Precision precision) ->
          new FloatParser(precision, point, canonical);
      case ArrowType.Decimal(int precision, int scale, _) ->
          new DecimalParser(precision, scale, point);
      case ArrowType.Time(TimeUnit unit, _) -> new TimeParser(digits(unit));
      case ArrowType.Timestamp(TimeUnit unit, var zone) ->
          format == null
              ? new TimestampParser(digits(unit), zone != null)
              : format.timestamps(digits(unit), zone != null);
      case ArrowType.FixedSizeBinary _ -> new UuidParser();
      case ArrowType.Date _ -> format == null ? new DateParser() : format.dates();
      default -> throw new IllegalArgumentException("Expected a parsed type but found " + type);
    };
  }

  /// Returns the bytes that a value of a type takes in an array, for which [#of] has a parser.
  public static int byteWidth(ArrowType type) {
    return switch (type) {
      case ArrowType.Int(int bitWidth, _) -> bitWidth / Byte.SIZE;
      case ArrowType.FloatingPoint(Precision precision) -> precision.bitWidth() / Byte.SIZE;
      case ArrowType.Date _ -> Integer.BYTES;
      case ArrowType.Decimal(_, _, int bitWidth) -> bitWidth / Byte.SIZE;
      case ArrowType.FixedSizeBinary _ -> 2 * Long.BYTES;
      default -> Long.BYTES;
    };
  }

  /// Returns the digits after the second of values of a unit.
  public static int digits(TimeUnit unit) {
    return unit == TimeUnit.NANOSECOND ? NANOSECOND_DIGITS : MICROSECOND_DIGITS;
  }

  /// Parses a text without spaces around it.
  ///
  /// @param text bytes, of which those from `start` to `end` are parsed
  /// @return whether they are a value, which [#low] and [#high] return until the next call
  public abstract boolean parse(byte[] text, int start, int end);

  /// Returns the lowest 64 bits of the value.
  public final long low() {
    return low;
  }

  /// Returns the next 64 bits of a value of 128.
  public final long high() {
    return high;
  }

  /// Returns the third 64 bits of a value of 256.
  public final long third() {
    return third;
  }

  /// Returns the highest 64 bits of a value of 256.
  public final long fourth() {
    return fourth;
  }

  public static boolean isDigit(byte character) {
    return character >= '0' && character <= '9';
  }

  /// Returns whether a number begins with a plus, or with a zero before other digits, which it
  /// would lose as a number.
  static boolean hasSurplusStart(byte[] text, int start, int end) {
    if (start == end) {
      return false;
    }
    int first = text[start] == '-' ? start + 1 : start;
    return text[start] == '+' || end - first > 1 && text[first] == '0' && isDigit(text[first + 1]);
  }

  /// Returns whether a text is one of lower-case letters and digits, in any case.
  static boolean equalsIgnoringCase(byte[] text, int start, int end, String lowerCase) {
    if (end - start != lowerCase.length()) {
      return false;
    }
    for (int i = start; i < end; i++) {
      byte c = text[i];
      if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != lowerCase.charAt(i - start)) {
        return false;
      }
    }
    return true;
  }
}
