package dev.quiver.cast;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.input.Excerpt;
import dev.quiver.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A cast of decimal digits as text with 32-bit offsets to integers. A sign may precede the digits,
/// and blanks surround them; nothing else is an integer. A canonical cast takes no digits either
/// that the integer itself would lose: leading zeros, a plus, and the minus of zero.
final class IntegerText implements Cast {

  private static final int EXCERPT_LENGTH = 100;

  /// So many digits are an integer of 64 signed bits for certain.
  private static final int CERTAIN_DIGITS = 18;

  private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]+");
  private static final Pattern CANONICAL = Pattern.compile("0|-?[1-9][0-9]*");

  private final Field to;
  private final boolean canonical;
  private final int byteWidth;
  private final BigInteger minimum;
  private final BigInteger maximum;

  IntegerText(Field to) {
    this(to, /* canonical= */ false);
  }

  private IntegerText(Field to, boolean canonical) {
    ArrowType.Int type = (ArrowType.Int) to.type();
    this.canonical = canonical;
    this.to = to;
    this.byteWidth = type.bitWidth() / Byte.SIZE;
    BigInteger count = BigInteger.ONE.shiftLeft(type.bitWidth());
    this.minimum = type.signed() ? count.shiftRight(1).negate() : BigInteger.ZERO;
    this.maximum = minimum.add(count).subtract(BigInteger.ONE);
  }

  /// Returns the canonical cast, or null if the fields are not text and an integer.
  static @Nullable IntegerText canonical(Field from, Field to) {
    return from.type() instanceof ArrowType.Utf8
            && to.type() instanceof ArrowType.Int
            && to.dictionary() == null
        ? new IntegerText(to, /* canonical= */ true)
        : null;
  }

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    Array.VariableBinary source = (Array.VariableBinary) Array.of(array);
    long least = minimum.longValue();
    // Greater ones of 64 unsigned bits have more digits than are read without care.
    long greatest = maximum.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
    return Casts.integers(
        array, to, byteWidth, i -> integer(source, i, least, greatest), allocator);
  }

  private long integer(Array.VariableBinary source, long index, long least, long greatest) {
    MemorySegment text = source.values();
    int position = LittleEndian.getInt32(source.offsets(), index << 2);
    int end = LittleEndian.getInt32(source.offsets(), index + 1 << 2);
    int digits = end - position;
    boolean negative = digits > 0 && text.get(ValueLayout.JAVA_BYTE, position) == '-';
    if (negative) {
      position++;
      digits--;
    }
    if (digits < 1
        || digits > CERTAIN_DIGITS
        || canonical
            && (digits > 1 || negative)
            && text.get(ValueLayout.JAVA_BYTE, position) == '0') {
      return exact(source, index);
    }
    long value = 0;
    for (; position < end; position++) {
      int digit = text.get(ValueLayout.JAVA_BYTE, position) - '0';
      if (digit < 0 || digit > 9) {
        return exact(source, index);
      }
      value = 10 * value + digit;
    }
    value = negative ? -value : value;
    return value < least || value > greatest ? exact(source, index) : value;
  }

  /// Returns the integer of any text that is one.
  private long exact(Array.VariableBinary source, long index) {
    String text =
        new String(source.bytes(index).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    String digits = text.strip();
    // Longer texts are no integer of 64 bits, or have zeros that nobody writes.
    if (digits.length() <= EXCERPT_LENGTH
        && (canonical ? CANONICAL : DIGITS).matcher(digits).matches()) {
      BigInteger value = new BigInteger(digits);
      if (value.compareTo(minimum) >= 0 && value.compareTo(maximum) <= 0) {
        return value.longValue();
      }
    }
    throw InvalidCastException.of(
        to.describeType(), "\"" + Excerpt.of(text, EXCERPT_LENGTH) + "\"", to);
  }
}
