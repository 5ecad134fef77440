package dev.quiver.formats.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests integers against [BigInteger].
class IntegerParserTest {

  private static final int[] BIT_WIDTHS = {8, 16, 32, 64};
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?");
  private static final Pattern CANONICAL = Pattern.compile("0|-?[1-9][0-9]{0,98}");
  private static final String CHARACTERS = "019+- .aeé";

  private final Random random = new Random(8);

  private static void assertInteger(int bitWidth, boolean signed, boolean canonical, String text) {
    IntegerParser parser = new IntegerParser(bitWidth, signed, '.', canonical);
    boolean isNumber =
        (canonical ? CANONICAL : NUMBER).matcher(text).matches() && text.length() <= 100;
    BigDecimal number = isNumber ? new BigDecimal(text) : BigDecimal.ZERO;
    boolean isInteger = isNumber && number.remainder(BigDecimal.ONE).signum() == 0;
    BigInteger value = isInteger ? number.toBigInteger() : BigInteger.ZERO;
    boolean fits =
        signed
            ? value.bitLength() < bitWidth
            : value.signum() >= 0 && value.bitLength() <= bitWidth;
    if (isInteger && fits) {
      Embedded.assertValue(parser, text, value.longValue());
    } else {
      Embedded.assertNoValue(parser, text);
    }
  }

  private static void assertInteger(String text) {
    for (int bitWidth : BIT_WIDTHS) {
      for (int i = 0; i < 4; i++) {
        assertInteger(bitWidth, (i & 1) == 0, (i & 2) == 0, text);
      }
    }
  }

  @Test
  void anyShortTextIsAnIntegerOrNone() {
    assertShortTexts("");
  }

  private static void assertShortTexts(String text) {
    assertInteger(text);
    for (int i = 0; i < CHARACTERS.length() && text.length() < 4; i++) {
      assertShortTexts(text + CHARACTERS.charAt(i));
    }
  }

  /// R and pandas write integers so.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e+05",
        "1E5",
        "3.0",
        "-2.500e1",
        "1.5",
        "1e-1",
        "10e-1",
        "1e19",
        "1e20",
        "0e999",
        "0.0",
        "18446744073709551615.0",
        "1e1000",
        "1e",
        "1e+",
        ".5",
        "5.",
        "1.e1",
        "1,0",
        "9e-999"
      })
  void numberWithAPointOrAnExponentIsAnIntegerIfItEqualsOne(String text) {
    assertInteger(text);
  }

  /// Where a comma is the separator, a point may be that of thousands.
  @Test
  void otherSeparatorIsNone() {
    IntegerParser parser =
        new IntegerParser(Long.SIZE, /* signed= */ true, ',', /* canonical= */ false);
    Embedded.assertValue(parser, "1000,00", 1000);
    Embedded.assertNoValue(parser, "1.000");
  }

  @Test
  void integersNearTheEndsOfEachTypeAreExact() {
    for (int bits = 0; bits <= 66; bits++) {
      for (int delta = -2; delta <= 2; delta++) {
        BigInteger value = BigInteger.ONE.shiftLeft(bits).add(BigInteger.valueOf(delta));
        for (String text :
            new String[] {value.toString(), value.negate().toString(), "+" + value}) {
          assertInteger(text);
          assertInteger(text.replaceFirst("^([+-]?)", "$1000"));
          assertInteger(text + "0");
          assertInteger(text + " ");
          assertInteger(text + ".");
          assertInteger(text.substring(0, text.length() / 2) + "-" + text);
        }
      }
    }
  }

  @Test
  void integersOfAnyLengthAreExact() {
    for (int i = 0; i < 2_000; i++) {
      BigInteger value = new BigInteger(random.nextInt(80), random);
      assertInteger((random.nextBoolean() ? value : value.negate()).toString());
    }
    for (int digits = 1; digits < 25; digits++) {
      assertInteger("9".repeat(digits));
      assertInteger("-" + "9".repeat(digits));
      assertInteger("1" + "0".repeat(digits));
      assertInteger("9".repeat(digits) + "a" + "9".repeat(3));
      assertInteger("9".repeat(digits) + "/");
      assertInteger("9".repeat(digits) + ":");
    }
  }

  @Test
  void textsHaveAtMostOneHundredBytes() {
    for (int zeros = 96; zeros < 103; zeros++) {
      assertInteger("0".repeat(zeros) + "7");
      assertInteger("-" + "0".repeat(zeros) + "7");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e3",
        "0x10",
        "1_000",
        "1,000",
        "1 000",
        "1.0",
        "١",
        "１",
        "−1",
        "1L",
        "\t1",
        "1\n",
        "--1",
        "+-1",
        "-+1",
        "1-",
        "true",
        "null",
        "nan",
        "12345678901234567890e1",
        "1\u0000"
      })
  void rejectsInvalidIntegers(String text) {
    assertInteger(text);
  }
}
