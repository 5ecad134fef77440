package dev.quiver.formats.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests dates, times and timestamps against those of the JDK.
class TimeParsersTest {

  private static final long NANOSECONDS_PER_SECOND = 1_000_000_000;

  private final Random random = new Random(11);
  private final DateParser dates = new DateParser();
  private final TimeParser microseconds = new TimeParser(6);
  private final TimeParser nanoseconds = new TimeParser(9);

  private static TimestampParser timestamps(int fractionDigits) {
    return new TimestampParser(fractionDigits, /* zoned= */ false);
  }

  private static TimestampParser zoned(int fractionDigits) {
    return new TimestampParser(fractionDigits, /* zoned= */ true);
  }

  /// Returns a year as it must be written: with a sign before 0 and after 9999.
  private static String year(int year) {
    return "%s%04d".formatted(year < 0 ? "-" : year > 9999 ? "+" : "", Math.abs(year));
  }

  private static BigInteger units(long seconds, long nanoseconds, int fractionDigits) {
    BigInteger all =
        BigInteger.valueOf(seconds)
            .multiply(BigInteger.valueOf(NANOSECONDS_PER_SECOND))
            .add(BigInteger.valueOf(nanoseconds));
    return all.divide(BigInteger.TEN.pow(9 - fractionDigits));
  }

  /// Returns a time of the nearest unit below or at a number of them.
  private static LocalDateTime dateTime(BigInteger units, int fractionDigits) {
    BigInteger perSecond = BigInteger.TEN.pow(fractionDigits);
    long fraction = units.mod(perSecond).longValue();
    long second = units.subtract(BigInteger.valueOf(fraction)).divide(perSecond).longValueExact();
    int nanosecond = (int) (fraction * (NANOSECONDS_PER_SECOND / perSecond.longValue()));
    return LocalDateTime.ofEpochSecond(second, nanosecond, ZoneOffset.UTC);
  }

  @Test
  void readsAllDaysOfFiveCenturies() {
    LocalDate last = LocalDate.of(2101, 12, 31);
    for (LocalDate day = LocalDate.of(1599, 1, 1); !day.isAfter(last); day = day.plusDays(1)) {
      Embedded.assertValue(dates, day.toString(), day.toEpochDay());
    }
  }

  @Test
  void readsDaysOfAnyYear() {
    for (int year = -9_999; year <= 99_999; year += 1 + random.nextInt(4)) {
      LocalDate day = LocalDate.ofYearDay(year, 1 + random.nextInt(365));
      assertThat(day.toString()).startsWith(year(year) + "-");
      Embedded.assertValue(dates, day.toString(), day.toEpochDay());
      if (year > 9_999) {
        Embedded.assertNoValue(dates, day.toString().substring(1));
      }
    }
  }

  @Test
  void monthsHaveTheirDays() {
    for (int year : new int[] {-400, -100, -4, -1, 0, 4, 1900, 2000, 2023, 2024, 2100, 10_000}) {
      for (int month = 0; month <= 13; month++) {
        for (int day = 0; day <= 32; day++) {
          String text = "%s-%02d-%02d".formatted(year(year), month, day);
          if (month >= 1 && month <= 12 && YearMonth.of(year, month).isValidDay(day)) {
            long epochDay = LocalDate.of(year, month, day).toEpochDay();
            Embedded.assertValue(dates, text, epochDay);
            Embedded.assertValue(dates, "%s-%d-%d".formatted(year(year), month, day), epochDay);
          } else {
            Embedded.assertNoValue(dates, text);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "+5881580-07-11, 2147483647",
    "+5881580-07-12, ",
    "-5877641-06-23, -2147483648",
    "-5877641-06-22, ",
    "+9999999-12-31, ",
    "-9999999-01-01, ",
    "9999-12-31, 2932896",
    "0000-01-01, -719528",
    "-0001-12-31, -719529",
    "+2024-01-31, 19753",
    "+02024-01-31, 19753",
    "+0002024-01-31, 19753",
    "+00002024-01-31, "
  })
  void datesAreDaysOf32Bits(String text, Long expected) {
    if (expected == null) {
      Embedded.assertNoValue(dates, text);
    } else {
      Embedded.assertValue(dates, text, expected);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "+",
        "2024",
        "2024-",
        "2024-01",
        "2024-01-",
        "2024-0131",
        "202401-31",
        "20240131",
        "24-01-31",
        "024-01-31",
        "02024-01-31",
        "10000-01-01",
        "+024-01-31",
        "-024-01-31",
        "--2024-01-31",
        "+-2024-01-31",
        "2024-001-31",
        "2024-01-031",
        "2024--1-31",
        "2024-01--1",
        "2024-+1-31",
        "2024- 1-31",
        "2024-01-3 ",
        "2024-01-31 ",
        " 2024-01-31",
        "2024/01/31",
        "2024.01.31",
        "31-01-2024",
        "2024-01-31T",
        "2024-01-31T00:00",
        "2024-01-31 00:00",
        "2024-01-31Z",
        "2024-01-31-",
        "2024-01-310",
        "2024-W05-3",
        "2024-031",
        "2024-Jan-31",
        "today",
        "infinity",
        "٢٠٢٤-01-31",
        "2024−01−31",
        "2024-01-3é"
      })
  void rejectsInvalidDates(String text) {
    Embedded.assertNoValue(dates, text);
  }

  @Test
  void readsAllSecondsOfADay() {
    for (int second = 0; second < 86_400; second++) {
      LocalTime time = LocalTime.ofSecondOfDay(second);
      // Without seconds if these are zero.
      Embedded.assertValue(microseconds, time.toString(), second * 1_000_000L);
      LocalTime later = time.plusNanos(random.nextInt(1_000) * 1_000_000L);
      Embedded.assertValue(nanoseconds, later.toString(), later.toNanoOfDay());
    }
  }

  @Test
  void timesHaveNoMoreDigitsThanTheirUnit() {
    for (int digits = 1; digits <= 12; digits++) {
      for (int i = 0; i < 100; i++) {
        String fraction = Long.toString(random.nextLong(1_000_000_000_000L) + 1_000_000_000_000L);
        fraction = i == 0 ? "0".repeat(digits) : fraction.substring(1, 1 + digits);
        String text = "7:08:09." + fraction;
        for (TimeParser parser : new TimeParser[] {microseconds, nanoseconds}) {
          int digitsMaximum = parser == microseconds ? 6 : 9;
          String exact = fraction.replaceFirst("0+$", "");
          if (digits <= 9 && exact.length() <= digitsMaximum) {
            String units = exact + "0".repeat(digitsMaximum - exact.length());
            Embedded.assertValue(parser, text, Long.parseLong("25689" + units));
          } else {
            Embedded.assertNoValue(parser, text);
          }
        }
      }
    }
  }

  @Test
  void hoursMinutesAndSecondsHaveLimits() {
    for (int hour = 0; hour <= 25; hour++) {
      for (int minute = 0; minute <= 60; minute += minute == 59 ? 1 : 59) {
        for (int second = 0; second <= 60; second += second == 59 ? 1 : 59) {
          String text = "%02d:%02d:%02d".formatted(hour, minute, second);
          if (hour < 24 && minute < 60 && second < 60) {
            long expected = LocalTime.of(hour, minute, second).toSecondOfDay();
            Embedded.assertValue(microseconds, text, expected * 1_000_000);
          } else {
            Embedded.assertNoValue(microseconds, text);
            Embedded.assertNoValue(timestamps(6), "2024-01-31 " + text);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "12",
        "12:",
        ":30",
        "1230",
        "123059",
        "12:3",
        "12:030",
        "012:30",
        "-1:30",
        "+1:30",
        "12:-1",
        "12:30:",
        "12:30:5",
        "12:30:059",
        "12:30:59.",
        "12:30:59,5",
        "12:30.5",
        "12:30:59.5.",
        "12:30:59.-5",
        "12:30:59. 5",
        "12:30:59.1234567890",
        "12:30:59:00",
        "12.30.59",
        " 12:30",
        "12:30 ",
        "12: 30",
        "12:30Z",
        "12:30+01",
        "12:30:59Z",
        "12:30:59+01:00",
        "12:30 PM",
        "12:30pm",
        "T12:30",
        "24:00",
        "24:00:00",
        "23:59:60",
        "23:60",
        "é2:30",
        "noon",
        "2024-01-31 12:30"
      })
  void rejectsInvalidTimes(String text) {
    Embedded.assertNoValue(microseconds, text);
    Embedded.assertNoValue(nanoseconds, text);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 6, 9})
  void readsTimestampsOfAnyYear(int fractionDigits) {
    TimestampParser parser = timestamps(fractionDigits);
    TimestampParser zonedParser = zoned(fractionDigits);
    for (int i = 0; i < 8_000; i++) {
      int year = i % 2 == 0 ? random.nextInt(-9_999, 100_000) : random.nextInt(1_670, 2_270);
      LocalDate day = LocalDate.ofYearDay(year, 1 + random.nextInt(365));
      int digits = random.nextInt(10);
      long unit = BigInteger.TEN.pow(9 - digits).longValue();
      long ofDay = random.nextLong(86_400 * NANOSECONDS_PER_SECOND) / unit * unit;
      LocalDateTime time = day.atTime(LocalTime.ofNanoOfDay(ofDay));
      // The JDK writes three, six or nine digits.
      String ofSecond = "%09d".formatted(time.getNano()).substring(0, digits);
      String text =
          time.withNano(0)
              + (time.getSecond() == 0 ? ":00" : "")
              + (digits == 0 ? "" : "." + ofSecond);
      text = random.nextBoolean() ? text.replace('T', ' ') : text;
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(-18 * 60, 18 * 60 + 1) * 60);
      OffsetDateTime zonedTime = time.atOffset(offset);
      String zonedText =
          text + (i % 3 == 0 ? offset.toString().replace(":", "") : offset.toString());
      // Zeros at their end say nothing.
      if (ofSecond.replaceFirst("0+$", "").length() <= fractionDigits) {
        Embedded.assertValue(
            parser,
            text,
            units(time.toEpochSecond(ZoneOffset.UTC), time.getNano(), fractionDigits));
        Embedded.assertValue(
            zonedParser,
            zonedText,
            units(zonedTime.toEpochSecond(), time.getNano(), fractionDigits));
      } else {
        Embedded.assertNoValue(parser, text);
        Embedded.assertNoValue(zonedParser, zonedText);
      }
      Embedded.assertNoValue(parser, zonedText);
      Embedded.assertNoValue(zonedParser, text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "9, 1677-09-21T00:12:43.145224192, 2262-04-11T23:47:16.854775807",
    "6, -290308-12-21T19:59:05.224192, +294247-01-10T04:00:54.775807"
  })
  void timestampsAreUnitsOf64Bits(int fractionDigits, String least, String greatest) {
    TimestampParser parser = timestamps(fractionDigits);
    Embedded.assertValue(parser, least, Long.MIN_VALUE);
    Embedded.assertValue(parser, greatest, Long.MAX_VALUE);
    for (BigInteger end :
        new BigInteger[] {
          BigInteger.TWO.pow(63).negate(),
          BigInteger.ZERO,
          BigInteger.TWO.pow(63).subtract(BigInteger.ONE),
          // The lowest 64 bits of these are near zero.
          BigInteger.TWO.pow(64).negate(),
          BigInteger.TWO.pow(64)
        }) {
      for (int exponent = 0; exponent < 16; exponent++) {
        for (int factor = -9; factor <= 9; factor++) {
          BigInteger units =
              BigInteger.TEN.pow(exponent).multiply(BigInteger.valueOf(factor)).add(end);
          LocalDateTime time = dateTime(units, fractionDigits);
          Embedded.assertValue(parser, time.toString(), units);
          // An offset may bring a timestamp back into the range.
          for (int hours = -18; hours <= 18; hours += 9) {
            OffsetDateTime zonedTime =
                time.atOffset(ZoneOffset.UTC).withOffsetSameInstant(ZoneOffset.ofHours(hours));
            Embedded.assertValue(zoned(fractionDigits), zonedTime.toString(), units);
          }
        }
      }
    }
  }

  @Test
  void noUnitOfYearsWithSevenDigitsIsWrong() {
    for (String text : new String[] {"+9999999-12-31", "-9999999-01-01"}) {
      long day = LocalDate.parse(text).toEpochDay();
      Embedded.assertValue(timestamps(0), text, day * 86_400);
      Embedded.assertValue(timestamps(3), text, day * 86_400_000);
      Embedded.assertNoValue(timestamps(6), text);
      Embedded.assertNoValue(timestamps(9), text);
    }
  }

  @Test
  void timestampsMayLackTheTimeOrSeconds() {
    long day = LocalDate.of(2024, 1, 31).toEpochDay() * 86_400_000_000L;
    Embedded.assertValue(timestamps(6), "2024-01-31", day);
    Embedded.assertValue(timestamps(6), "2024-01-31 01:00", day + 3_600_000_000L);
    Embedded.assertValue(timestamps(6), "2024-1-31T1:00", day + 3_600_000_000L);
    Embedded.assertValue(timestamps(6), "2024-01-31T00:00:01", day + 1_000_000);
    Embedded.assertValue(zoned(6), "2024-01-31T01:00Z", day + 3_600_000_000L);
    Embedded.assertValue(zoned(6), "2024-01-31 01:00+01", day);
    Embedded.assertNoValue(zoned(6), "2024-01-31");
    Embedded.assertNoValue(zoned(6), "2024-01-31Z");
    Embedded.assertNoValue(zoned(6), "2024-01-31+01:00");
  }

  @Test
  void offsetsAreSubtracted() {
    long noon = LocalDateTime.of(2024, 1, 31, 12, 0).toEpochSecond(ZoneOffset.UTC);
    for (int minutes = -1439; minutes <= 1439; minutes++) {
      String sign = minutes < 0 ? "-" : "+";
      int hour = Math.abs(minutes) / 60;
      int minute = Math.abs(minutes) % 60;
      long expected = (noon - minutes * 60) * 1_000_000;
      for (String format : new String[] {"%s%02d:%02d", "%s%02d%02d"}) {
        String text = "2024-01-31 12:00:00.0" + format.formatted(sign, hour, minute);
        Embedded.assertValue(zoned(6), text, expected);
      }
      if (minute == 0) {
        Embedded.assertValue(zoned(6), "2024-01-31 12:00%s%02d".formatted(sign, hour), expected);
      }
    }
    Embedded.assertValue(zoned(6), "2024-01-31 12:00Z", noon * 1_000_000);
    Embedded.assertValue(zoned(6), "2024-01-31 12:00:00z", noon * 1_000_000);
    Embedded.assertValue(zoned(9), "2024-01-31 12:00-00:00", noon * 1_000_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "+",
        "-",
        "+1",
        "+1:00",
        "+01:",
        "+010",
        "+01:0",
        "+01:000",
        "+0100:",
        "+01:00:00",
        "+24",
        "+24:00",
        "-24:00",
        "+01:60",
        "+0160",
        "+99",
        "+-1",
        "++01",
        "Z+01",
        "+01Z",
        "ZZ",
        " Z",
        "Z ",
        " +01:00",
        "+01:00 ",
        "UTC",
        " UTC",
        "GMT",
        "CET",
        "[Europe/Berlin]",
        "+01:00[Europe/Berlin]",
        "+01.5",
        "+é1",
        "−01:00"
      })
  void rejectsInvalidOffsets(String offset) {
    Embedded.assertNoValue(zoned(6), "2024-01-31 12:00:00" + offset);
    Embedded.assertNoValue(zoned(9), "2024-01-31T12:00" + offset);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "T",
        "2024",
        "2024-01",
        "12:30",
        "2024-01-31T",
        "2024-01-31 ",
        "2024-01-31  12:30",
        "2024-01-31t12:30",
        "2024-01-31_12:30",
        "2024-01-31T 12:30",
        "2024-01-31T12",
        "2024-01-31T1230",
        "20240131T123000",
        "2024-01-31-12:30",
        "2024-01-31T12:30:",
        "2024-01-31T12:30:59.",
        "2024-01-31T12:30:59,5",
        "2024-02-30T12:30",
        "2024-01-31T24:00",
        "2024-01-31T23:59:60",
        "2024-01-31T12:30Z",
        "2024-01-31T12:30+00",
        " 2024-01-31T12:30",
        "2024-01-31T12:30 ",
        "2024-01-31T12:30 PM",
        "1706704200",
        "now",
        "infinity",
        "31.01.2024 12:30"
      })
  void rejectsInvalidTimestamps(String text) {
    Embedded.assertNoValue(timestamps(6), text);
    Embedded.assertNoValue(timestamps(9), text);
  }
}
