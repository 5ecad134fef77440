package dev.quiver.arrow.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.TimeUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests numbers and dates against the text of the JDK's classes.
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
      assertText(Double.toString(value));
    }
  }

  private void assertFloat(float value) throws IOException {
    if (Float.isFinite(value)) {
      ShortestDecimals.putFloat(Float.floatToRawIntBits(value), output);
      assertText(Float.toString(value));
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
  void writesDoublesLikeTheJdk() throws IOException {
    for (int i = 0; i < RANDOM_COUNT; i++) {
      assertDouble(Double.longBitsToDouble(random.nextLong()));
      assertDouble(random.nextGaussian());
      assertDouble(random.nextInt(100_000_000) / 100.0);
      assertDouble(random.nextLong(1L << 52) / Math.pow(10, random.nextInt(18)));
      assertDouble((double) random.nextLong());
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
  void writesFloatsLikeTheJdk() throws IOException {
    for (int i = 0; i < RANDOM_COUNT; i++) {
      assertFloat(Float.intBitsToFloat(random.nextInt()));
      assertFloat(random.nextInt(1_000_000) / 100.0f);
      assertFloat((float) random.nextLong());
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
