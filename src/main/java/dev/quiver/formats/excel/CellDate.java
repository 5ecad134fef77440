package dev.quiver.formats.excel;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// Dates and times of cells, which are numbers of days since an epoch.
final class CellDate {

  private static final long DAY_MILLISECONDS = 86_400_000;
  private static final LocalDate EPOCH_1904 = LocalDate.of(1904, 1, 1);

  /// The epoch of days from 1900-03-01 on. Excel counts a 29 February before that one.
  private static final LocalDate EPOCH_1900 = LocalDate.of(1899, 12, 30);

  private static final int FIRST_CERTAIN_DAY = 61;
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

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
    return format == NumberFormat.DATE && time.equals(LocalTime.MIDNIGHT)
        ? date.toString()
        : LocalDateTime.of(date, time).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
  }

  /// Returns a date of the epoch of 1900, or null for the days 0 and 60, which do not exist.
  private static @Nullable LocalDate of1900(int day) {
    if (day == 0 || day == FIRST_CERTAIN_DAY - 1) {
      return null;
    }
    return EPOCH_1900.plusDays(day < FIRST_CERTAIN_DAY ? day + 1L : day);
  }
}
