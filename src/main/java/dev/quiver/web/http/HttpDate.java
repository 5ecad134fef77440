package dev.quiver.web.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Dates as HTTP writes them, in whole seconds: RFC 9110 §5.6.7.
///
/// Java's RFC 1123 form writes days of one digit, and Spring's `HttpHeaders` does not read all of
/// the obsolete forms.
public final class HttpDate {

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);

  /// The two obsolete forms, which recipients must still read.
  private static final List<DateTimeFormatter> READ =
      List.of(
          IMF_FIXDATE,
          new DateTimeFormatterBuilder()
              .appendPattern("EEEE, dd-MMM-")
              .appendValueReduced(
                  ChronoField.YEAR, 2, 2, Instant.now().atZone(ZoneOffset.UTC).getYear() - 50)
              .appendPattern(" HH:mm:ss 'GMT'")
              .toFormatter(Locale.ENGLISH),
          DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ENGLISH));

  private HttpDate() {}

  /// Such as `Fri, 20 Nov 2026 07:34:20 GMT`.
  public static String format(Instant instant) {
    return IMF_FIXDATE.format(ZonedDateTime.ofInstant(instant, ZoneOffset.UTC));
  }

  /// The date in any of the three forms; null when `text` is none, and then to be ignored.
  public static @Nullable Instant parse(String text) {
    for (DateTimeFormatter form : READ) {
      try {
        return LocalDateTime.parse(text.strip(), form).toInstant(ZoneOffset.UTC);
      } catch (DateTimeException otherForm) {
        continue;
      }
    }
    return null;
  }

  /// `instant` as a header would tell it.
  public static Instant inSeconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }
}
