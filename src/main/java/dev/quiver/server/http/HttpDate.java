package dev.quiver.server.http;

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

/// Dates in HTTP headers, in whole seconds: RFC 9110 §5.6.7.
///
/// Java's RFC 1123 formatter writes one-digit days, and Spring's `HttpHeaders` cannot parse all
/// obsolete forms.
public final class HttpDate {

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);

  /// The three forms; recipients must still accept the two obsolete ones.
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

  /// Formats a date, such as `Fri, 20 Nov 2026 07:34:20 GMT`.
  public static String format(Instant instant) {
    return IMF_FIXDATE.format(ZonedDateTime.ofInstant(instant, ZoneOffset.UTC));
  }

  /// Parses a date in any of the three forms.
  ///
  /// @return the date, or null if `text` is not one and must be ignored
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

  /// Truncates `instant` to the precision of a header.
  public static Instant inSeconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }
}
