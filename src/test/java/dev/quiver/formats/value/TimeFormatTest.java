package dev.quiver.formats.value;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests formats against those of the JDK.
class TimeFormatTest {

  private final Random random = new Random(12);

  private static TimeFormat format(String format) {
    return requireNonNull(TimeFormat.parse(format));
  }

  private static ValueParser timestamps(String format) {
    return format(format).timestamps(6, /* zoned= */ false);
  }

  private static ValueParser zoned(String format) {
    return format(format).timestamps(6, /* zoned= */ true);
  }

  private static long microseconds(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + time.getNano() / 1_000;
  }

  private static void assertTime(String format, String text, String expected) {
    Embedded.assertValue(timestamps(format), text, microseconds(LocalDateTime.parse(expected)));
  }

  private static void assertNone(String format, String text) {
    Embedded.assertNoValue(timestamps(format), text);
    Embedded.assertNoValue(format(format).dates(), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "%Y-%m-%d | uuuu-MM-dd | DAYS",
        "%d.%m.%Y | dd.MM.uuuu | DAYS",
        "%d.%m.%Y | d.M.uuuu | DAYS",
        "%-d.%-m.%-Y | d.M.uuuu | DAYS",
        "%m/%d/%Y | MM/dd/uuuu | DAYS",
        "%Y%m%d | uuuuMMdd | DAYS",
        "%Y-%j | uuuu-DDD | DAYS",
        "%j/%Y | D/uuuu | DAYS",
        "%B %d, %Y | MMMM d, uuuu | DAYS",
        "%d-%b-%Y | dd-MMM-uuuu | DAYS",
        "%A, %d %B %Y | EEEE, d MMMM uuuu | DAYS",
        "%a %d %b %Y | EEE dd MMM uuuu | DAYS",
        "%x | uuuu-MM-dd | DAYS",
        "%Y-%m-%d %H:%M | uuuu-MM-dd HH:mm | MINUTES",
        "%Y-%m-%dT%H:%M | uuuu-MM-dd'T'H:mm | MINUTES",
        "%d/%m/%Y %I:%M %p | dd/MM/uuuu hh:mm a | MINUTES",
        "%p %I %M on %Y%m%d | a h mm 'on' uuuuMMdd | MINUTES",
        "%I:%M:%S%p, %d.%m.%Y | h:mm:ssa, d.M.uuuu | SECONDS",
        "%Y%m%d%H%M%S | uuuuMMddHHmmss | SECONDS",
        "%c | uuuu-MM-dd HH:mm:ss | SECONDS",
        "%X %x | HH:mm:ss uuuu-MM-dd | SECONDS",
        "%b %d %H:%M:%S %Y | MMM d HH:mm:ss uuuu | SECONDS",
        "%S %M %H %d %m %Y | s m H d M uuuu | SECONDS",
        "%Y-%m-%d %H:%M:%S.%g | uuuu-MM-dd HH:mm:ss.SSS | MILLIS",
        "%Y-%m-%d %H:%M:%S,%f | uuuu-MM-dd HH:mm:ss,SSS | MILLIS",
        "%c.%f | uuuu-MM-dd HH:mm:ss.SSSSSS | MICROS",
        "%f %c | SSSSSS uuuu-MM-dd HH:mm:ss | MICROS",
        "%c.%n | uuuu-MM-dd HH:mm:ss.SSSSSS | MICROS",
        "%%%d%%%m%%%Y | %dd%MM%uuuu | DAYS"
      })
  void readsWhatTheJdkWrites(String format, String pattern, ChronoUnit unit) {
    ValueParser timestamps = timestamps(format);
    ValueParser dates = format(format).dates();
    DateTimeFormatter formatter = DateTimeFormatter.ofPattern(pattern, Locale.US);
    for (int i = 0; i < 400; i++) {
      LocalDateTime time =
          LocalDateTime.of(random.nextInt(10_000), 1, 1, 0, 0)
              .plusSeconds(random.nextLong(365 * 86_400))
              .plusNanos(random.nextInt(1_000_000_000))
              .truncatedTo(unit);
      String text = formatter.format(time);
      text = i % 3 == 0 ? text.replace("AM", "am").replace("PM", "Pm") : text;
      Embedded.assertValue(timestamps, text, microseconds(time));
      if (unit == ChronoUnit.DAYS) {
        Embedded.assertValue(dates, text, time.toLocalDate().toEpochDay());
      }
    }
  }

  @Test
  void nanosecondsHaveNineDigits() {
    ValueParser parser = format("%c.%n").timestamps(9, /* zoned= */ false);
    DateTimeFormatter formatter = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS");
    for (int i = 0; i < 2_000; i++) {
      // Some are beyond 64 bits.
      BigInteger units =
          BigInteger.valueOf(i % 4 < 2 ? Long.MAX_VALUE >> i % 63 : Long.MIN_VALUE >> i % 63)
              .add(BigInteger.valueOf(random.nextInt(-1_000, 1_000)));
      BigInteger[] parts = units.divideAndRemainder(BigInteger.valueOf(1_000_000_000));
      LocalDateTime time =
          LocalDateTime.ofEpochSecond(parts[0].longValue(), 0, ZoneOffset.UTC)
              .plusNanos(parts[1].longValue());
      Embedded.assertValue(parser, formatter.format(time), units);
    }
    Embedded.assertNoValue(parser, "9999-12-31 00:00:00.0");
  }

  @Test
  void twoDigitsAreAYearFrom1969To2068() {
    for (int year = 1969; year <= 2068; year++) {
      String text = "31.12.%02d".formatted(year % 100);
      Embedded.assertValue(
          format("%d.%m.%y").dates(), text, LocalDate.of(year, 12, 31).toEpochDay());
    }
    assertNone("%d.%m.%y", "31.12.4");
    assertNone("%d.%m.%y", "31.12.2024");
    assertNone("%d.%m.%y", "31.12.");
    assertNone("%d.%m.%y", "31.12.-1");
  }

  @Test
  void namesAreEnglishInAnyCase() {
    for (Month month : Month.values()) {
      for (TextStyle style : new TextStyle[] {TextStyle.FULL, TextStyle.SHORT}) {
        String name = month.getDisplayName(style, Locale.US);
        String directive = style == TextStyle.FULL ? "%B" : "%b";
        String expected = LocalDateTime.of(1970, month, 1, 0, 0).toString();
        assertTime(directive, name, expected);
        assertTime(directive, name.toUpperCase(Locale.ROOT), expected);
        assertTime(directive, name.toLowerCase(Locale.ROOT), expected);
        assertNone(directive, name.substring(0, name.length() == 4 ? 2 : name.length() - 1));
        assertNone(directive, name + "x");
        assertNone(directive, name + " ");
        assertTime(directive.equals("%B") ? "%b" : "%B", name, expected);
      }
    }
    for (DayOfWeek day : DayOfWeek.values()) {
      // Names are not compared with the date.
      String name = day.getDisplayName(TextStyle.FULL, Locale.US);
      assertTime("%A %d", name + " 31", "1970-01-31T00:00");
      assertTime(
          "%a %d", name.substring(0, 3).toUpperCase(Locale.ROOT) + " 31", "1970-01-31T00:00");
      assertTime("%a %d", name + " 31", "1970-01-31T00:00");
      assertTime("%A %d", name.substring(0, 3) + " 31", "1970-01-31T00:00");
    }
    assertNone("%B", "Januar");
    assertNone("%b", "Mär");
    assertNone("%b", "Mai");
    assertNone("%b", "");
    assertNone("%a", "");
  }

  @ParameterizedTest
  @CsvSource({
    "2023-001, 2023-01-01",
    "2023-1, 2023-01-01",
    "2023-60, 2023-03-01",
    "2024-60, 2024-02-29",
    "2023-365, 2023-12-31",
    "2024-366, 2024-12-31",
    "1900-365, 1900-12-31",
    "2000-366, 2000-12-31"
  })
  void daysOfAYearCountFromOne(String text, LocalDate expected) {
    Embedded.assertValue(format("%Y-%j").dates(), text, expected.toEpochDay());
    assertTime("%Y-%j", text, expected + "T00:00");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-0",
        "2024-00",
        "2024-000",
        "2024-367",
        "2023-366",
        "1900-366",
        "2024-999",
        "2024-",
        "2024--1",
        "2024-0001",
        "2024-1 "
      })
  void yearsHaveNoOtherDays(String text) {
    assertNone("%Y-%j", text);
  }

  @Test
  void aDayOfTheYearDoesNotExcuseAnInvalidDate() {
    assertTime("%Y-%m-%d %j", "2024-02-01 032", "2024-02-01T00:00");
    assertNone("%Y-%m-%d %j", "2024-13-01 032");
    assertNone("%Y-%m-%d %j", "2024-02-30 032");
    assertNone("%Y-%m-%d %j", "2024-00-00 032");
  }

  @Test
  void partsThatAFormatLacksAreTheirFirst() {
    assertTime("%H:%M", "12:30", "1970-01-01T12:30");
    assertTime("%Y", "2024", "2024-01-01T00:00");
    assertTime("%m/%Y", "12/2024", "2024-12-01T00:00");
    assertTime("%p %I", "PM 1", "1970-01-01T13:00");
    assertTime("%f", "25", "1970-01-01T00:00:00.25");
  }

  @Test
  void hoursOfAHalfDayAreFrom1To12() {
    for (int hour = 0; hour <= 25; hour++) {
      for (String format : new String[] {"%d", "%02d"}) {
        String text = format.formatted(hour);
        if (hour >= 1 && hour <= 12) {
          assertTime("%I %p", text + " AM", "1970-01-01T%02d:00".formatted(hour % 12));
          assertTime("%I %p", text + " pm", "1970-01-01T%02d:00".formatted(hour % 12 + 12));
          assertTime("%p%H", "pM" + text, "1970-01-01T%02d:00".formatted(hour % 12 + 12));
          assertTime("%I", text, "1970-01-01T%02d:00".formatted(hour));
        } else {
          assertNone("%I %p", text + " AM");
          assertNone("%I %p", text + " PM");
          assertNone("%I", text);
        }
        if (hour < 24) {
          assertTime("%H", text, "1970-01-01T%02d:00".formatted(hour));
        } else {
          assertNone("%H", text);
        }
      }
    }
    assertNone("%I %p", "12 ");
    assertNone("%I %p", "12 A");
    assertNone("%I %p", "12 A.M.");
    assertNone("%I %p", "12 XM");
  }

  @Test
  void minutesAndSecondsHaveLimits() {
    assertTime("%M:%S", "59:59", "1970-01-01T00:59:59");
    assertTime("%M:%S", "5:9", "1970-01-01T00:05:09");
    assertNone("%M:%S", "60:00");
    assertNone("%M:%S", "00:60");
    assertNone("%M:%S", "-1:00");
    assertNone("%M:%S", "00:+1");
    assertNone("%M:%S", "000:00");
    assertNone("%M:%S", ":00");
  }

  @ParameterizedTest
  @CsvSource({"%g, 3", "%f, 6", "%n, 9"})
  void fractionsHaveNoMoreDigitsThanTheirDirectiveAndUnit(String directive, int digitsMaximum) {
    for (int unit = 6; unit <= 9; unit += 3) {
      ValueParser parser = format("%S." + directive).timestamps(unit, /* zoned= */ false);
      Embedded.assertNoValue(parser, "1.");
      for (int digits = 1; digits <= 11; digits++) {
        String fraction = "98765432109".substring(0, digits);
        if (digits <= digitsMaximum && digits <= unit) {
          Embedded.assertValue(
              parser, "1." + fraction, Long.parseLong(1 + fraction + "0".repeat(unit - digits)));
        } else {
          Embedded.assertNoValue(parser, "1." + fraction);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Z, 12:00",
    "z, 12:00",
    "+01, 11:00",
    "+0130, 10:30",
    "-01:30, 13:30",
    "+00:00, 12:00",
    "-00, 12:00"
  })
  void offsetsAreSubtractedWhereverTheyAre(String offset, String expected) {
    long utc = microseconds(LocalDateTime.parse("2024-01-31T" + expected));
    Embedded.assertValue(zoned("%Y-%m-%d %H:%M%z"), "2024-01-31 12:00" + offset, utc);
    Embedded.assertValue(zoned("%Y-%m-%d %H:%M %z"), "2024-01-31 12:00 " + offset, utc);
    Embedded.assertValue(zoned("%d %b %H:%M %z %Y"), "31 Jan 12:00 " + offset + " 2024", utc);
    Embedded.assertValue(zoned("%z, %c"), offset + ", 2024-01-31 12:00:00", utc);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "+", "+1", "+010", "+01:", "+01:0", "+24", "+01:60", "UTC", "ZZ", "+01:000"
      })
  void rejectsInvalidOffsets(String offset) {
    Embedded.assertNoValue(zoned("%Y-%m-%d %H:%M%z"), "2024-01-31 12:00" + offset);
    Embedded.assertNoValue(zoned("%z on %Y-%m-%d"), offset + " on 2024-01-31");
  }

  @Test
  void timestampsHaveAnOffsetIfTheirTypeAndFormatHaveOne() {
    assertThat(format("%c %z").isZoned()).isTrue();
    assertThat(format("%c").isZoned()).isFalse();
    assertThat(format("%cz").isZoned()).isFalse();
    assertThat(format("%%z").isZoned()).isFalse();
    Embedded.assertNoValue(timestamps("%c%z"), "2024-01-31 12:00:00Z");
    Embedded.assertNoValue(timestamps("%c%z"), "2024-01-31 12:00:00");
    Embedded.assertNoValue(zoned("%c"), "2024-01-31 12:00:00");
    Embedded.assertNoValue(zoned("%c"), "2024-01-31 12:00:00Z");
    Embedded.assertNoValue(zoned("%c%z"), "2024-01-31 12:00:00");
  }

  @Test
  void otherCharactersStandForThemselves() {
    assertTime("on %d/%m", "on 31/01", "1970-01-31T00:00");
    assertNone("on %d/%m", "On 31/01");
    assertNone("on %d/%m", "on 31.01");
    assertNone("on %d/%m", "on 31/01/");
    assertNone("on %d/%m", "on 31/");
    assertNone("on %d/%m", "xon 31/01");
    assertNone("%d.", "31");
    assertNone("%d", "31.");
    assertTime("%d%-%", "31%", "1970-01-31T00:00");
    assertTime("%%d %d", "%d 31", "1970-01-31T00:00");
    assertTime("%%c%d", "%c31", "1970-01-31T00:00");
    assertTime("%%%x", "%2024-01-31", "2024-01-31T00:00");
    assertTime("%%%%X %d", "%%X 31", "1970-01-31T00:00");
  }

  @Test
  void directivesMayStandAmongAnyText() {
    assertTime("%Y年%m月%d日", "2024年1月31日", "2024-01-31T00:00");
    assertNone("%Y年%m月%d日", "2024年1月31月");
    assertTime("%e. %b, %R", "31. Jan, 12:30", "1970-01-31T12:30");
    assertTime("%FT%T", "2024-01-31T12:30:59", "2024-01-31T12:30:59");
  }

  @Test
  void datesLoseNoTime() {
    ValueParser dates = requireNonNull(TimeFormat.parse("%F %H:%M")).dates();
    assertThat(Embedded.parse(dates, "1970-01-31 00:00")).isTrue();
    assertThat(dates.low()).isEqualTo(30);
    Embedded.assertNoValue(dates, "1970-01-31 00:01");
    ValueParser zoned = requireNonNull(TimeFormat.parse("%F %z")).dates();
    Embedded.assertNoValue(zoned, "1970-01-31 Z");
  }

  @Test
  void aSpaceStandsForAnyNumberOfThem() {
    for (String spaces : new String[] {"", " ", "     "}) {
      assertTime("%b %d", "Jan" + spaces + "31", "1970-01-31T00:00");
      assertTime("%b   %d", "Jan" + spaces + "31", "1970-01-31T00:00");
      assertTime(" %b%d ", spaces + "Jan31" + spaces, "1970-01-31T00:00");
    }
    assertNone("%b %d", "Jan\t31");
    assertNone("%b%d", "Jan 31");
    assertNone("%b %d", "Jan  31 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%", "%-", "%d.%", "%-c", "%Q", "%U", "%W", "%G", "%u", "%w", "%Z", "%s", "%D", "%-Q",
        "%--d", "% d", "%é", "%\u0000", "\u0000", "%d%m%", "%d %1"
      })
  void rejectsUnknownDirectives(String format) {
    assertThat(TimeFormat.parse(format)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "2024-01",
        "2024-01-",
        "2024-13-01",
        "2024-00-01",
        "2024-01-00",
        "2024-01-32",
        "2023-02-29",
        "2024-02-30",
        "2024-04-31",
        "1900-02-29",
        "24-01-31",
        "-2024-01-31",
        "+2024-01-31",
        "12024-01-31",
        "2024-001-31",
        "2024-01-031",
        "2024-01-31 ",
        " 2024-01-31",
        "2024-01-31x",
        "2024--1-31",
        "2024-+1-31",
        "é024-01-31",
        "20240131"
      })
  void rejectsInvalidDates(String text) {
    assertNone("%Y-%m-%d", text);
  }
}
