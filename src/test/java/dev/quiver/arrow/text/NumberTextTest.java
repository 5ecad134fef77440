package dev.quiver.arrow.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.TimeUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests floating-point numbers against the steps of ECMAScript, and other numbers and dates
/// against the text of the JDK's classes.
class NumberTextTest {

  private static final int RANDOM_COUNT = 300_000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TextOutput output =
      new TextOutput(
          part -> bytes.writeBytes(part.toArray(LittleEndian.INT8)),
          new Limit("text-response-bytes", Long.MAX_VALUE),
          TextOutput.BUFFER_BYTE_SIZE_MIN);
  private final Random random = new Random(6);

  private String text() throws IOException {
    output.flush();
    String text = bytes.toString(StandardCharsets.US_ASCII);
    bytes.reset();
    return text;
  }

  private void assertDouble(double value) throws IOException {
    if (Double.isFinite(value)) {
      ShortestDecimals.putDouble(Double.doubleToRawLongBits(value), output);
      assertText(EcmaScriptNumbers.of(value));
    }
  }

  private void assertFloat(float value) throws IOException {
    if (Float.isFinite(value)) {
      ShortestDecimals.putFloat(Float.floatToRawIntBits(value), output);
      assertText(EcmaScriptNumbers.of(value));
    }
  }

  /// Calls AssertJ only for a mismatch, since there are millions of comparisons.
  private void assertText(String expected) throws IOException {
    String text = text();
    if (!text.equals(expected)) {
      assertThat(text).isEqualTo(expected);
    }
  }

  @Test
  void writesDoublesLikeEcmaScript() throws IOException {
    for (int i = 0; i < RANDOM_COUNT; i++) {
      assertDouble(Double.longBitsToDouble(random.nextLong()));
      assertDouble(random.nextGaussian());
      assertDouble(random.nextInt(100_000_000) / 100.0);
      assertDouble(random.nextLong(1L << 52) / Math.pow(10, random.nextInt(18)));
      assertDouble((double) random.nextLong());
      assertDouble(random.nextLong(1L << 54) / 8.0);
      assertDouble(random.nextLong(1L << 53) * Math.pow(10, random.nextInt(24)));
      assertDouble(random.nextLong(1_000) / Math.pow(10, random.nextInt(12)));
    }
    // Numbers with few decimals, in a range of which the end has a form of its own.
    for (int i = 0; i < RANDOM_COUNT / 10; i++) {
      assertDoubleAndNeighbors(random.nextLong(2_000_000_000_000_000L) / 1e4);
      assertDoubleAndNeighbors(random.nextInt(10_000_000) / 1e4);
    }
    for (int exponent = -330; exponent <= 308; exponent++) {
      for (int digits = 1; digits < 100; digits++) {
        assertDoubleAndNeighbors(Double.parseDouble(digits + "E" + exponent));
      }
    }
    // Powers of two, whose lower neighbor is nearer than the upper one.
    for (int exponent = -1_074; exponent <= 1_023; exponent++) {
      assertDoubleAndNeighbors(Math.scalb(1.0, exponent));
      assertDoubleAndNeighbors(Math.scalb(1.5, exponent));
    }
    for (int bits = 0; bits < 10_000; bits++) {
      assertDouble(Double.longBitsToDouble(bits));
    }
  }

  private void assertDoubleAndNeighbors(double value) throws IOException {
    assertDouble(value);
    assertDouble(-value);
    assertDouble(Math.nextUp(value));
    assertDouble(Math.nextDown(value));
  }

  @Test
  void writesFloatsLikeEcmaScript() throws IOException {
    for (int i = 0; i < RANDOM_COUNT; i++) {
      assertFloat(Float.intBitsToFloat(random.nextInt()));
      assertFloat(random.nextInt(1_000_000) / 100.0f);
      assertFloat((float) random.nextLong());
      assertFloat(random.nextInt(1_000) / (float) Math.pow(10, random.nextInt(12)));
      assertFloat((float) (random.nextInt(1 << 24) * Math.pow(10, random.nextInt(20))));
    }
    for (int exponent = -149; exponent <= 127; exponent++) {
      float power = Math.scalb(1.0f, exponent);
      assertFloat(power);
      assertFloat(Math.nextUp(power));
      assertFloat(Math.nextDown(power));
    }
    for (int bits = 0; bits < 100_000; bits++) {
      assertFloat(Float.intBitsToFloat(bits));
    }
  }

  /// Texts of JavaScript: the ends of its forms, and numbers of which the JDK has two digits.
  @ParameterizedTest
  @CsvSource({
    "0.0, 0",
    "-0.0, -0",
    "1.0, 1",
    "12345678.5, 12345678.5",
    "1E-4, 0.0001",
    "1E-6, 0.000001",
    "1.25E-6, 0.00000125",
    "9.99E-7, 9.99e-7",
    "1E-7, 1e-7",
    "1.5E-7, 1.5e-7",
    "9007199254740991, 9007199254740991",
    "9007199254740993, 9007199254740992",
    "1234567890.125, 1234567890.125",
    "123456789012.5, 123456789012.5",
    "1.2345678901234568E17, 123456789012345680",
    "1.2345678901234568E20, 123456789012345680000",
    "9.99E20, 999000000000000000000",
    "1E21, 1e+21",
    "1.5E300, 1.5e+300",
    "1E23, 1e+23",
    "2E23, 2e+23",
    "4.9E-324, 5e-324",
    "9.9E-324, 1e-323",
    "1.7976931348623157E308, 1.7976931348623157e+308",
    "2.2250738585072014E-308, 2.2250738585072014e-308"
  })
  void writesDoublesInTheFormsOfJavaScript(double value, String expected) throws IOException {
    ShortestDecimals.putDouble(Double.doubleToRawLongBits(value), output);
    assertThat(text()).isEqualTo(expected);
    assertThat(EcmaScriptNumbers.of(value)).isEqualTo(expected);
  }

  @Test
  void writesTheShortestTextOfEveryHalfFloat() throws IOException {
    for (int bits = 0; bits < 0x7C00; bits++) {
      HalfFloats.put((short) bits, output);
      String text = text();
      assertThat(Float.floatToFloat16(Float.parseFloat(text))).as(text).isEqualTo((short) bits);
      assertThat(text.length()).as(text).isLessThanOrEqualTo(10);
      assertThat(EcmaScriptNumbers.of(new BigDecimal(text))).isEqualTo(text);
      HalfFloats.put((short) (bits | 0x8000), output);
      assertThat(text()).isEqualTo("-" + text);
    }
  }

  @Test
  void writesIntegersOfEveryLength() throws IOException {
    for (long power = 1; power > 0 && power <= 1_000_000_000_000_000_000L; power *= 10) {
      for (long factor = 1; factor <= 9; factor++) {
        for (long value = factor * power - 2; value <= factor * power + 2; value++) {
          assertInteger(value);
          assertInteger(-value);
        }
      }
    }
    for (int i = 0; i < RANDOM_COUNT; i++) {
      assertInteger(random.nextLong() >> random.nextInt(64));
    }
    assertInteger(Long.MIN_VALUE);
  }

  private void assertInteger(long value) throws IOException {
    output.putInteger(value);
    assertText(Long.toString(value));
    output.putUnsigned(value);
    assertText(Long.toUnsignedString(value));
  }

  @Tag("long")
  @Test
  void writesEveryDayOfTheYears0To9999() throws IOException {
    LocalDate last = LocalDate.of(10_000, 12, 31);
    for (LocalDate date = LocalDate.of(-1, 1, 1); date.isBefore(last); date = date.plusDays(1)) {
      IsoText.date(date.toEpochDay(), output);
      assertText(date.toString());
    }
  }

  @Test
  void writesTimestampsLikeTheJdk() throws IOException {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS").withZone(ZoneOffset.UTC);
    for (int i = 0; i < RANDOM_COUNT / 10; i++) {
      long nanoseconds = random.nextLong() >> random.nextInt(64);
      long perSecond = 1_000_000_000L;
      String expected =
          format.format(
              Instant.ofEpochSecond(
                  Math.floorDiv(nanoseconds, perSecond), Math.floorMod(nanoseconds, perSecond)));
      IsoText.timestamp(nanoseconds, TimeUnit.NANOSECOND, output);
      assertText(expected);
      IsoText.timestamp(Math.floorDiv(nanoseconds, 1_000L), TimeUnit.MICROSECOND, output);
      assertText(expected.substring(0, expected.length() - 3));
      IsoText.timestamp(Math.floorDiv(nanoseconds, 1_000_000L), TimeUnit.MILLISECOND, output);
      assertText(expected.substring(0, expected.length() - 6));
      IsoText.timestamp(Math.floorDiv(nanoseconds, perSecond), TimeUnit.SECOND, output);
      assertText(expected.substring(0, expected.length() - 10));
    }
  }
}
