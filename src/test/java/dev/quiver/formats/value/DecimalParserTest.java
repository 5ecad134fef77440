package dev.quiver.formats.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests decimals against [BigDecimal].
class DecimalParserTest {

  private static final int PRECISION_MAXIMUM = 38;
  private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)");
  private static final String CHARACTERS = "019+-., é";

  private final Random random = new Random(9);

  private static void assertDecimal(int precision, int scale, String text) {
    DecimalParser parser = new DecimalParser(precision, scale, '.');
    boolean isDecimal =
        DECIMAL.matcher(text).matches() && text.replaceFirst("^[+-]", "").length() <= 100;
    BigDecimal value = isDecimal ? new BigDecimal(text) : BigDecimal.ZERO;
    // Zeros at the end of a fraction are no digits that a type lacks.
    boolean isExact = isDecimal && value.stripTrailingZeros().scale() <= scale;
    if (isExact && precision(value.setScale(scale)) <= precision) {
      BigInteger unscaled = value.setScale(scale).unscaledValue();
      if (!Embedded.parse(parser, text) || !Embedded.int128(parser).equals(unscaled)) {
        assertThat(Embedded.parse(parser, text)).as(text).isTrue();
        assertThat(Embedded.int128(parser)).as(text).isEqualTo(unscaled);
      }
    } else {
      Embedded.assertNoValue(parser, text);
    }
  }

  /// Returns the number of digits, which is 0 for zero.
  private static int precision(BigDecimal value) {
    return value.signum() == 0 ? 0 : value.precision();
  }

  @Test
  void anyShortTextIsADecimalOrNone() {
    assertShortTexts("");
  }

  private static void assertShortTexts(String text) {
    for (int precision = 1; precision <= 4; precision++) {
      for (int scale = 0; scale <= precision; scale++) {
        assertDecimal(precision, scale, text);
      }
    }
    assertDecimal(PRECISION_MAXIMUM, 0, text);
    assertDecimal(PRECISION_MAXIMUM, PRECISION_MAXIMUM, text);
    for (int i = 0; i < CHARACTERS.length() && text.length() < 4; i++) {
      assertShortTexts(text + CHARACTERS.charAt(i));
    }
  }

  @Test
  void digitsAreExactForEachPrecisionAndScale() {
    for (int precision = 1; precision <= PRECISION_MAXIMUM; precision++) {
      for (int scale = 0; scale <= precision; scale++) {
        BigDecimal greatest =
            new BigDecimal(BigInteger.TEN.pow(precision).subtract(BigInteger.ONE), scale);
        for (BigDecimal value :
            new BigDecimal[] {
              greatest,
              greatest.add(greatest.ulp()),
              greatest.movePointLeft(1),
              greatest.movePointRight(1),
              greatest.ulp(),
              greatest.ulp().movePointLeft(1),
              new BigDecimal(BigInteger.ZERO, scale),
              BigDecimal.ZERO
            }) {
          assertDecimal(precision, scale, value.toPlainString());
          assertDecimal(precision, scale, value.negate().toPlainString());
          assertDecimal(precision, scale, "+000" + value.toPlainString());
          assertDecimal(precision, scale, value.toPlainString() + "0");
        }
      }
    }
  }

  @Test
  void anyDigitsAreExact() {
    int values = 0;
    for (int i = 0; i < 30_000; i++) {
      int precision = 1 + random.nextInt(PRECISION_MAXIMUM);
      int scale = random.nextInt(precision + 1);
      BigInteger digits =
          new BigInteger(random.nextInt(130), random).mod(BigInteger.TEN.pow(precision + 1));
      BigDecimal value = new BigDecimal(digits, random.nextInt(scale + 2));
      String text = (random.nextBoolean() ? value : value.negate()).toPlainString();
      assertDecimal(precision, scale, random.nextInt(4) == 0 ? text.replace("0.", ".") : text);
      values += Embedded.parse(new DecimalParser(precision, scale, '.'), text) ? 1 : 0;
    }
    assertThat(values).isBetween(10_000, 27_000);
  }

  @Test
  void digitsHaveAtMostOneHundredBytesWithThePoint() {
    for (int zeros = 97; zeros < 103; zeros++) {
      assertDecimal(5, 2, "0".repeat(zeros) + "7");
      assertDecimal(5, 2, "-" + "0".repeat(zeros) + "7");
      assertDecimal(5, 2, "-" + "0".repeat(zeros - 2) + ".7");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"1,5 | 150", "-0,25 | -25", ",5 | 50", "5, | 500", "+1 | 100"})
  void thePointMayBeAComma(String text, long unscaled) {
    DecimalParser parser = new DecimalParser(10, 2, ',');
    Embedded.assertValue(parser, text, unscaled);
    Embedded.assertNoValue(parser, text + ".");
    Embedded.assertNoValue(parser, "1." + text);
    Embedded.assertNoValue(parser, text + ",,");
  }

  @Test
  void thePointOfManyDigitsMayBeAComma() {
    DecimalParser parser = new DecimalParser(38, 2, ',');
    assertThat(Embedded.parse(parser, "-123456789012345678901234567890,5")).isTrue();
    assertThat(Embedded.int128(parser)).isEqualTo("-12345678901234567890123456789050");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e3", "1E-2", "1.5e0", "1,5", "1 000", "1_000", "1'000", "$1", "1%", "1d", "nan", "inf",
        "--1", "+-1", "1-", "1..5", "1.5.", ".", "-.", "١", "−1", "\t1", "1\n", "1\u0000"
      })
  void rejectsInvalidDecimals(String text) {
    assertDecimal(18, 3, text);
    assertDecimal(38, 10, text);
  }
}
