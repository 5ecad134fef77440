package dev.quiver.formats.excel;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Dates and times of cells, which are numbers of days since an epoch.
final class CellDate {

  private static final long DAY_MILLISECONDS = 86_400_000;
  private static final LocalDate EPOCH_1904 = LocalDate.of(1904, 1, 1);

  /// The epoch of days from 1900-03-01 on. Excel counts a 29 February before that one.
  private static final LocalDate EPOCH_1900 = LocalDate.of(1899, 12, 30);

  private static final int FIRST_CERTAIN_DAY = 61;
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

  /// The days of times of day in workbooks with dates of ISO 8601.
  private static final Set<LocalDate> DAYS_OF_TIMES =
      Set.of(EPOCH_1900, EPOCH_1900.plusDays(1), EPOCH_1904);

  private static final Pattern OFFSET = Pattern.compile("Z|[+-]\\d\\d:\\d\\d");
  private static final int HOUR_LENGTH = 2;

  private CellDate() {}

  /// Returns a date, a time of day or a timestamp in the form of ISO 8601, or null if the number is
  /// none: Excel shows number signs then.
  ///
  /// @param days since the epoch
  /// @param is1904 whether the epoch is that of old Macs
  static @Nullable String text(double days, NumberFormat format, boolean is1904) {
    if (!(days >= 0 && days < 3_000_000)) {
      return null;
    }
    // A time of day does not become the next day.
    long last = format == NumberFormat.TIME && days < 1 ? DAY_MILLISECONDS - 1 : Long.MAX_VALUE;
    long milliseconds = Math.min(last, Math.round(days * DAY_MILLISECONDS));
    LocalTime time = LocalTime.ofNanoOfDay(milliseconds % DAY_MILLISECONDS * 1_000_000);
    int day = (int) (milliseconds / DAY_MILLISECONDS);
    if (format == NumberFormat.TIME && day == 0) {
      return time.format(DateTimeFormatter.ISO_LOCAL_TIME);
    }
    LocalDate date = is1904 ? EPOCH_1904.plusDays(day) : of1900(day);
    if (date == null || date.isAfter(LAST)) {
      return null;
    }
    if (format == NumberFormat.DATE && time.equals(LocalTime.MIDNIGHT)) {
      return date.toString();
    }
    String moment = date.atTime(time).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
    return format == NumberFormat.UTC_TIMESTAMP ? moment + "Z" : moment;
  }

  /// Returns a date, a time of day or a timestamp of ISO 8601 in the form of [#text], maybe with an
  /// offset from UTC, or null if the text is none.
  static @Nullable String ofIso(String text, NumberFormat format) {
    int time = text.indexOf('T') + 1;
    boolean hasOffset = time > 0 && OFFSET.matcher(text).find(time);
    try {
      if (hasOffset) {
        return OffsetDateTime.parse(text).format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
      }
      if (text.indexOf(':') == HOUR_LENGTH) {
        return LocalTime.parse(text).format(DateTimeFormatter.ISO_LOCAL_TIME);
      }
      return time == 0 ? LocalDate.parse(text).toString() : text(LocalDateTime.parse(text), format);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /// Returns a date without its midnight, and a time of day without the day on which Excel has it.
  private static String text(LocalDateTime moment, NumberFormat format) {
    LocalDate date = moment.toLocalDate();
    LocalTime time = moment.toLocalTime();
    if (format == NumberFormat.DATE && time.equals(LocalTime.MIDNIGHT)) {
      return date.toString();
    }
    return format == NumberFormat.TIME && DAYS_OF_TIMES.contains(date)
        ? time.format(DateTimeFormatter.ISO_LOCAL_TIME)
        : moment.format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
  }

  /// Returns a date of the epoch of 1900, or null for the days 0 and 60, which do not exist.
  private static @Nullable LocalDate of1900(int day) {
    if (day == 0 || day == FIRST_CERTAIN_DAY - 1) {
      return null;
    }
    return EPOCH_1900.plusDays(day < FIRST_CERTAIN_DAY ? day + 1L : day);
  }
}
