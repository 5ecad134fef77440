package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A column of a worksheet: its letters, its style, and the writers of its cells.
///
/// Booleans and numbers are such cells, moments and durations are numbers of days with a format.
/// Values that these would change are text, as are all other types: what a page shows. Null has no
/// cell.
final class SheetColumn {

  /// The digits of a number that a spreadsheet keeps.
  static final int DIGITS_MAXIMUM = 15;

  private static final long INTEGER_END = 1_000_000_000_000_000L;

  /// A power of ten that a double has whatever its digits.
  private static final int LEAST_EXPONENT = -290;

  private static final int MILLISECONDS_PER_DAY = 86_400_000;
  private static final long SECONDS_PER_DAY = 86_400;

  /// The days from 1899-12-30, which is 0 for spreadsheets, to 1970-01-01.
  private static final long EPOCH_DAY = 25_569;

  /// 1900-03-01: before it, spreadsheets count a day that was not.
  private static final long FIRST_DAY = 61;

  /// 9999-12-31.
  private static final long LAST_DAY = 2_958_465;

  private static final PreparedText NUMBER = PreparedText.of("\"><v>");
  private static final PreparedText NUMBER_END = PreparedText.of("</v></c>");
  private static final PreparedText TRUE = PreparedText.of("\" t=\"b\"><v>1</v></c>");
  private static final PreparedText FALSE = PreparedText.of("\" t=\"b\"><v>0</v></c>");

  private final String letters;
  private final PreparedText start;
  private final PreparedText number;
  private final SheetFormat format;
  private final SheetCells cells;
  private final CellValues texts;

  /// @param index from 0 on
  SheetColumn(int index, Field field, SheetCells cells, TextOptions options) {
    this.letters = letters(index);
    this.start = PreparedText.of("<c r=\"" + letters);
    this.format = SheetFormat.of(field);
    int style = SheetFormat.ALL.indexOf(format);
    this.number =
        format.equals(SheetFormat.GENERAL)
            ? NUMBER
            : PreparedText.of("\" s=\"%d\"><v>".formatted(style));
    this.cells = cells;
    this.texts = new CellValues(CellStyle.PLAIN, options);
  }

  /// Returns the letters of a column, such as `A` or `XFD`.
  ///
  /// @param index from 0 on
  static String letters(int index) {
    StringBuilder letters = new StringBuilder();
    for (int rest = index + 1; rest > 0; rest = (rest - 1) / 26) {
      letters.append((char) ('A' + (rest - 1) % 26));
    }
    return letters.reverse().toString();
  }

  SheetFormat format() {
    return format;
  }

  /// Writes the cell of the name.
  void writeName(String name, PreparedText style, TextOutput output) throws IOException {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    cells.buffered((_, text) -> text.put(utf8, 0, utf8.length), 0, letters);
    cells.putText(start, letters, style, output);
  }

  /// Returns the writer of arrays of a field.
  private SlotWriter.OfField of(Field field) {
    return ofNonNull(field).orNull(PreparedText.NOTHING);
  }

  /// Returns the writer of the valid slots of arrays of a field.
  SlotWriter.OfField ofNonNull(Field field) {
    if (field.dictionary() != null) {
      return IndirectValues.dictionary(of(field.withDictionary(null)), PreparedText.NOTHING);
    }
    return switch (field.type()) {
      case ArrowType.Null() -> _ -> (_, _) -> {};
      case ArrowType.Bool() -> this::bool;
      case ArrowType.Int type -> array -> integer(type, array);
      case ArrowType.Decimal type -> array -> decimal(type, array);
      case ArrowType.FloatingPoint(var precision) -> array -> floatingPoint(precision, array);
      case ArrowType.Date(var unit) -> array -> date(unit, array);
      case ArrowType.Time(var unit, _) -> array -> time(unit, array);
      case ArrowType.Timestamp type -> array -> timestamp(type, array);
      case ArrowType.Duration(var unit) -> array -> duration(unit, array);
      case ArrowType.RunEndEncoded() -> IndirectValues.runs(of(field.children().getLast()));
      case ArrowType.Interval _, ArrowType.Bytes _, ArrowType.Text _, ArrowType.Nested _ -> {
        SlotWriter.OfField values = texts.ofNonNull(field);
        yield array -> {
          SlotWriter writer = values.of(array);
          return (slot, output) -> text(writer, slot, output);
        };
      }
    };
  }

  private void text(SlotWriter value, long slot, TextOutput output) throws IOException {
    cells.buffered(value, slot, letters);
    cells.putText(start, letters, output);
  }

  private void text(TextCells.Reason reason, SlotWriter value, long slot, TextOutput output)
      throws IOException {
    cells.count(reason, letters);
    text(value, slot, output);
  }

  private void number(SlotWriter value, long slot, TextOutput output) throws IOException {
    cells.begin(start, output);
    output.put(number);
    value.write(slot, output);
    output.put(NUMBER_END);
  }

  private SlotWriter bool(ArrayData array) {
    BitmapReader bits = new BitmapReader(array.buffer(BufferRole.DATA));
    return (slot, output) -> {
      cells.begin(start, output);
      output.put(bits.get(slot) ? TRUE : FALSE);
    };
  }

  private SlotWriter integer(ArrowType.Int type, ArrayData array) {
    SlotWriter digits = Scalars.integer(type, array);
    if (type.bitWidth() < Long.SIZE) {
      return (slot, output) -> number(digits, slot, output);
    }
    FixedWidthWindow values = FixedWidthWindow.of(array);
    long least = type.signed() ? -INTEGER_END + 1 : 0;
    return (slot, output) -> {
      long value = values.get(slot);
      if (value >= least && value < INTEGER_END) {
        number(digits, slot, output);
      } else {
        text(TextCells.Reason.DIGITS, digits, slot, output);
      }
    };
  }

  private SlotWriter decimal(ArrowType.Decimal type, ArrayData array) {
    SlotWriter digits = Scalars.decimal(type, array);
    return (slot, output) -> {
      TextOutput text = cells.buffered(digits, slot, letters);
      int byteSize = (int) text.position();
      if (isExact(text.buffer(), byteSize)) {
        number((_, to) -> to.put(text.buffer(), 0, byteSize), slot, output);
      } else {
        cells.count(TextCells.Reason.DIGITS, letters);
        cells.putText(start, letters, output);
      }
    };
  }

  /// Returns whether a spreadsheet keeps all digits of a decimal: those from the first that is not
  /// zero to the last one before the point, or the last after it that is not zero.
  ///
  /// @param text the text by [DecimalText]
  private static boolean isExact(byte[] text, int byteSize) {
    int count = 0;
    int zeros = 0;
    boolean isFraction = false;
    for (int i = 0; i < byteSize; i++) {
      byte c = text[i];
      if (c == 'E') {
        long exponent = exponent(text, i + 1, byteSize);
        return exponent >= LEAST_EXPONENT && count + Math.max(0, exponent) <= DIGITS_MAXIMUM;
      } else if (c == '.') {
        isFraction = true;
      } else if (c != '-' && (c != '0' || count > 0)) {
        count++;
        zeros = isFraction && c == '0' ? zeros + 1 : 0;
      }
    }
    return count - zeros <= DIGITS_MAXIMUM;
  }

  private static long exponent(byte[] text, int start, int end) {
    return Long.parseLong(new String(text, start, end - start, StandardCharsets.US_ASCII));
  }

  private SlotWriter floatingPoint(Precision precision, ArrayData array) {
    SlotWriter digits = Scalars.floatingPoint(precision, Double::toString, array);
    FixedWidthWindow values = FixedWidthWindow.of(array);
    return (slot, output) -> {
      long bits = values.get(slot);
      boolean isFinite =
          switch (precision) {
            case HALF -> Float.isFinite(Float.float16ToFloat((short) bits));
            case SINGLE -> Float.isFinite(Float.intBitsToFloat((int) bits));
            case DOUBLE -> Double.isFinite(Double.longBitsToDouble(bits));
          };
      if (isFinite) {
        number(digits, slot, output);
      } else {
        text(TextCells.Reason.NOT_FINITE, digits, slot, output);
      }
    };
  }

  private SlotWriter date(DateUnit unit, ArrayData array) {
    SlotWriter iso = Scalars.date(unit, PreparedText.NOTHING, array);
    return switch (unit) {
      case DAY -> dates(1, 1, iso, array);
      case MILLISECOND -> dates(MILLISECONDS_PER_DAY, 1, iso, array);
    };
  }

  private SlotWriter timestamp(ArrowType.Timestamp type, ArrayData array) {
    SlotWriter iso = Scalars.timestamp(type, PreparedText.NOTHING, array);
    return dates(perDay(type.unit()), perMillisecond(type.unit()), iso, array);
  }

  private SlotWriter duration(TimeUnit unit, ArrayData array) {
    SlotWriter iso = Scalars.duration(unit, PreparedText.NOTHING, array);
    return days(perDay(unit), perMillisecond(unit), 0, 0, LAST_DAY, iso, array);
  }

  private SlotWriter time(TimeUnit unit, ArrayData array) {
    SlotWriter iso = Scalars.time(unit, PreparedText.NOTHING, array);
    return days(perDay(unit), perMillisecond(unit), 0, 0, 0, iso, array);
  }

  private static long perDay(TimeUnit unit) {
    return SECONDS_PER_DAY * unit.perSecond();
  }

  private static long perMillisecond(TimeUnit unit) {
    return Math.max(1, unit.perSecond() / 1_000);
  }

  private SlotWriter dates(long perDay, long perMillisecond, SlotWriter iso, ArrayData array) {
    return days(perDay, perMillisecond, EPOCH_DAY, FIRST_DAY, LAST_DAY, iso, array);
  }

  /// Returns a writer of values as days, which are text outside of the days that spreadsheets have,
  /// and if they are finer than a millisecond.
  ///
  /// @param perDay the number of units in a day
  /// @param perMillisecond the number of units in a millisecond, or 1 for coarser ones
  /// @param origin the day of the value 0
  /// @param first the first day that is allowed
  /// @param last the last day that is allowed
  /// @param iso the writer of text
  private SlotWriter days(
      long perDay,
      long perMillisecond,
      long origin,
      long first,
      long last,
      SlotWriter iso,
      ArrayData array) {
    FixedWidthWindow values = FixedWidthWindow.of(array);
    return (slot, output) -> {
      long value = values.get(slot);
      long day = Math.floorDiv(value, perDay) + origin;
      long rest = Math.floorMod(value, perDay);
      if (day < first || day > last) {
        text(TextCells.Reason.RANGE, iso, slot, output);
      } else if (rest % perMillisecond != 0) {
        text(TextCells.Reason.FINE, iso, slot, output);
      } else {
        number((_, to) -> put(day, (double) rest / perDay, to), slot, output);
      }
    };
  }

  private static void put(long days, double fraction, TextOutput output) throws IOException {
    if (fraction == 0) {
      output.putInteger(days);
    } else {
      ShortestDecimals.putDouble(Double.doubleToRawLongBits(days + fraction), output);
    }
  }
}
