package dev.quiver.arrow.text;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.TimeUnit;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The format by which a spreadsheet displays the cells of a column: ECMA-376 part 1 §18.8.30 and
/// §18.8.31.
///
/// @param code the code of the format
/// @param width the width of a column, in characters
record SheetFormat(String code, int width) {

  static final SheetFormat GENERAL = new SheetFormat("General", 12);

  /// Without it, numbers of twelve digits or more are displayed with an exponent.
  private static final SheetFormat INTEGER = new SheetFormat("0", 16);

  private static final SheetFormat TEXT = new SheetFormat("General", 24);
  private static final SheetFormat DATE = new SheetFormat("yyyy-mm-dd", 12);
  private static final SheetFormat TIMESTAMP = new SheetFormat("yyyy-mm-dd hh:mm:ss", 20);
  private static final SheetFormat TIME = new SheetFormat("hh:mm:ss", 10);
  private static final SheetFormat DURATION = new SheetFormat("[h]:mm:ss", 12);

  /// The formats of moments, times of day and durations: in seconds, then in milliseconds.
  private static final List<SheetFormat> TIMES =
      Stream.of(TIMESTAMP, TIMESTAMP.inUtc(), TIME, DURATION)
          .flatMap(format -> Stream.of(format, format.inMilliseconds()))
          .toList();

  /// The formats of decimals by their scale, from 1 on.
  private static final List<SheetFormat> DECIMALS =
      IntStream.rangeClosed(1, SheetColumn.DIGITS_MAXIMUM)
          .mapToObj(scale -> new SheetFormat("0." + "0".repeat(scale), 16))
          .toList();

  /// All formats; the index of one is that of its style.
  static final List<SheetFormat> ALL =
      Stream.of(List.of(GENERAL, TEXT, INTEGER, DATE), TIMES, DECIMALS)
          .flatMap(List::stream)
          .toList();

  /// Returns the format of the values of a field.
  static SheetFormat of(Field field) {
    return switch (field.type()) {
      case ArrowType.Int(int bitWidth, _) -> bitWidth == Long.SIZE ? INTEGER : GENERAL;
      case ArrowType.Decimal type -> ofScale(type.scale());
      case ArrowType.Date(DateUnit unit) ->
          unit == DateUnit.DAY ? DATE : TIMESTAMP.in(TimeUnit.MILLISECOND);
      case ArrowType.Timestamp type ->
          (Scalars.isUtc(type) ? TIMESTAMP.inUtc() : TIMESTAMP).in(type.unit());
      case ArrowType.Time type -> TIME.in(type.unit());
      case ArrowType.Duration type -> DURATION.in(type.unit());
      case ArrowType.Null _, ArrowType.Bool _, ArrowType.FloatingPoint _ -> GENERAL;
      case ArrowType.RunEndEncoded() -> of(field.children().getLast());
      case ArrowType.Interval _, ArrowType.Bytes _, ArrowType.Text _, ArrowType.Nested _ -> TEXT;
    };
  }

  private static SheetFormat ofScale(int scale) {
    if (scale == 0) {
      return INTEGER;
    }
    return scale > 0 && scale <= DECIMALS.size() ? DECIMALS.get(scale - 1) : GENERAL;
  }

  private SheetFormat in(TimeUnit unit) {
    return unit == TimeUnit.SECOND ? this : inMilliseconds();
  }

  /// Returns this format with three digits after the seconds.
  private SheetFormat inMilliseconds() {
    return new SheetFormat(code.replace("ss", "ss.000"), width + 4);
  }

  /// Returns this format with a `Z` at its end.
  private SheetFormat inUtc() {
    return new SheetFormat(code + "\"Z\"", width + 1);
  }
}
