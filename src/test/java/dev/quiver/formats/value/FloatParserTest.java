package dev.quiver.formats.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.Precision;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests numbers against those of the JDK, and halves against [BigDecimal].
class FloatParserTest {

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private static final BigDecimal TWO = BigDecimal.valueOf(2);
  private static final int INFINITE_HALF = 0x7C00;

  /// The positive halves and zero, and 65,536, which would be the next one.
  private static final BigDecimal[] HALVES =
      IntStream.rangeClosed(0, INFINITE_HALF)
          .mapToObj(bits ->
              bits == INFINITE_HALF
                  ? BigDecimal.valueOf(65_536)
                  : new BigDecimal(Float.float16ToFloat((short) bits)))
          .toArray(BigDecimal[]::new);

  private final Random random = new Random(7);
  private final FloatParser doubles =
      new FloatParser(Precision.DOUBLE, '.', /* canonical= */ false);
  private final FloatParser singles =
      new FloatParser(Precision.SINGLE, '.', /* canonical= */ false);
  private final FloatParser halves = new FloatParser(Precision.HALF, '.', /* canonical= */ false);

  private void assertNearest(String text) {
    double nearest = Double.parseDouble(text);
    assertBits(doubles, text, Double.isFinite(nearest), Double.doubleToRawLongBits(nearest));
    assertNearestSingle(text);
  }

  private void assertNearestSingle(String text) {
    float nearest = Float.parseFloat(text);
    assertBits(singles, text, Float.isFinite(nearest), Float.floatToRawIntBits(nearest));
  }

  private void assertNearestHalf(String text) {
    int bits = nearestHalf(new BigDecimal(text).abs());
    int sign = text.startsWith("-") ? Short.MIN_VALUE : 0;
    assertBits(halves, text, bits < INFINITE_HALF, (short) (bits | sign));
  }

  private static int nearestHalf(BigDecimal magnitude) {
    int found = Arrays.binarySearch(HALVES, magnitude);
    if (found >= 0) {
      return found;
    }
    int next = -found - 1;
    if (next == HALVES.length) {
      return INFINITE_HALF;
    }
    int side = magnitude.multiply(TWO).compareTo(HALVES[next].add(HALVES[next - 1]));
    return side < 0 || side == 0 && (next & 1) == 1 ? next - 1 : next;
  }

  private static void assertBits(FloatParser parser, String text, boolean isFinite, long bits) {
    if (isFinite) {
      Embedded.assertValue(parser, text, bits);
      if (!parser.isFinite()) {
        assertThat(parser.isFinite()).as(text).isTrue();
      }
    } else {
      Embedded.assertNoValue(parser, text);
    }
  }

  /// Returns an exact number with one digit more, with one less, and as it is.
  private static String[] around(BigDecimal number) {
    BigDecimal last = number.ulp().movePointLeft(1 + number.precision() % 5);
    return new String[] {
      number.toString(), number.add(last).toString(), number.subtract(last).toString()
    };
  }

  @Test
  void readsTheShortestTextOfAnyDouble() {
    for (int i = 0; i < 50_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        assertNearest(Double.toString(value));
      }
    }
  }

  @Test
  void readsTheShortestTextOfAnySingle() {
    for (int i = 0; i < 40_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      if (Float.isFinite(value)) {
        assertNearest(Float.toString(value));
      }
    }
  }

  @Test
  void readsAnyDigits() {
    for (int i = 0; i < 60_000; i++) {
      StringBuilder text = digits(1 + random.nextInt(40));
      if (random.nextInt(3) > 0) {
        text.insert(random.nextInt(text.length() + 1), '.');
      }
      text.insert(0, "0".repeat(random.nextInt(10) == 0 ? random.nextInt(30) : 0));
      text.insert(0, random.nextInt(3) == 0 ? "-" : random.nextInt(9) == 0 ? "+" : "");
      int range = random.nextBoolean() ? 25 : 370;
      if (random.nextInt(4) > 0) {
        text.append(random.nextBoolean() ? "e" : "E").append(random.nextInt(5) == 0 ? "+" : "");
        boolean plus = text.charAt(text.length() - 1) == '+';
        text.append(plus ? random.nextInt(range) : random.nextInt(-range, range));
      }
      assertNearest(text.toString());
      if (i % 4 == 0) {
        assertNearestHalf(text.toString());
      }
    }
  }

  /// Numbers that are read as words, and some that are too long for that.
  @Test
  void readsFewDigitsAroundAPoint() {
    FloatParser commas = new FloatParser(Precision.DOUBLE, ',', /* canonical= */ false);
    for (int length = 1; length <= 20; length++) {
      for (int point = 0; point <= length; point++) {
        for (int i = 0; i < 50; i++) {
          StringBuilder text = digits(length).insert(point, '.');
          if (random.nextInt(9) == 0) {
            text.setCharAt(point == 0 ? 1 : 0, '0');
          }
          assertNearest(text.toString());
          assertNearest("-" + text);
          assertNearestHalf(text.toString());
          assertBits(
              commas,
              text.toString().replace('.', ','),
              true,
              Double.doubleToRawLongBits(Double.parseDouble(text.toString())));
          assertNearest(text.deleteCharAt(point).toString());
        }
      }
    }
    assertNearest("-0.0");
    assertNearest("-.0");
    assertNearest("9007199254740993");
    assertNearest("9999999999999999");
  }

  @Test
  void eachCharacterOfFewDigitsCounts() {
    String others = "/:;.,+-eE \0\t09\u007F\u0081\u008F";
    int numbers = 0;
    for (int length = 1; length <= 18; length++) {
      for (int position = 0; position < length; position++) {
        for (int i = 0; i < others.length(); i++) {
          StringBuilder text = digits(length);
          text.setCharAt(random.nextInt(length), '.');
          text.setCharAt(position, others.charAt(i));
          if (NUMBER.matcher(text).matches()) {
            numbers++;
            assertNearest(text.toString());
          } else {
            Embedded.assertNoValue(doubles, text.toString());
          }
        }
      }
    }
    assertThat(numbers).isBetween(500, 1_500);
  }

  @Test
  void readsHundredsOfDigits() {
    for (int i = 0; i < 500; i++) {
      int digits = 40 + random.nextInt(760);
      StringBuilder text = digits(digits).insert(random.nextInt(digits), '.');
      assertNearest(text.append('e').append(random.nextInt(-360, 330)).toString());
    }
  }

  private StringBuilder digits(int count) {
    StringBuilder text = new StringBuilder();
    // Runs of equal digits come near to the limits of the algorithm.
    int digit = random.nextInt(10);
    for (int i = 0; i < count; i++) {
      digit = random.nextInt(8) > 0 && count % 3 == 0 ? digit : random.nextInt(10);
      text.append((char) ('0' + digit));
    }
    return text;
  }

  @Test
  void readsFewDigitsWithAnyExponent() {
    long[] integers = {1, 2, 3, 5, 7, 9, 10, 99, (1L << 53) - 1, 1L << 53, (1L << 53) + 1};
    for (int exponent = -365; exponent <= 312; exponent++) {
      for (long integer : integers) {
        assertNearest(integer + "e" + exponent);
      }
      assertNearest("9223372036854775807e" + exponent);
      assertNearest("9223372036854775808e" + exponent);
      assertNearest("9999999999999999999e" + exponent);
      assertNearest("18446744073709551615e" + exponent);
      assertNearest("18446744073709551616e" + exponent);
    }
  }

  @Test
  void roundsHalfwayBetweenDoubles() {
    for (int i = 0; i < 2_000; i++) {
      // Most have few digits; some are subnormal or little above, and have hundreds.
      double value =
          i % 25 == 0
              ? Double.longBitsToDouble(random.nextLong() >>> 1 + random.nextInt(60))
              : Math.scalb(1 + random.nextDouble(), random.nextInt(-90, 160));
      double next = Math.nextUp(value);
      if (Double.isFinite(next)) {
        for (String text : around(middle(new BigDecimal(value), new BigDecimal(next)))) {
          assertNearest(text);
        }
      }
    }
  }

  @Test
  void roundsHalfwayBetweenSingles() {
    for (int i = 0; i < 5_000; i++) {
      int bits = random.nextInt() & Integer.MAX_VALUE;
      bits = i % 4 == 0 ? bits >>> 8 + random.nextInt(22) : bits;
      float value = Float.intBitsToFloat(bits);
      float next = Math.nextUp(value);
      if (Float.isFinite(next)) {
        for (String text : around(middle(new BigDecimal(value), new BigDecimal(next)))) {
          assertNearest(text);
        }
      }
    }
  }

  private static BigDecimal middle(BigDecimal one, BigDecimal other) {
    return one.add(other).divide(TWO);
  }

  /// Ties that 19 digits can say, which the algorithm has to recognize without more of them.
  @Test
  void roundsTiesOfFewDigits() {
    int ties = 0;
    for (int i = 0; i < 5_000; i++) {
      BigDecimal odd = BigDecimal.valueOf(1L << 53 | random.nextLong(1L << 52) << 1 | 1);
      int power = random.nextInt(-6, 14);
      BigDecimal tie = power < 0 ? odd.divide(TWO.pow(-power)) : odd.multiply(TWO.pow(power));
      ties += tie.precision() <= 19 ? 1 : 0;
      assertNearest(tie.toString());
      assertNearest(tie.stripTrailingZeros().toString());
      assertNearest(tie.add(tie.ulp()).toString());
      assertNearest(tie.subtract(tie.ulp()).toString());
    }
    assertThat(ties).isGreaterThan(2_000);
    // A number of 17 digits is a tie if a power of ten up to 10²³ is its factor.
    assertNearest("1e23");
    assertNearest("9007199254740993e0");
    assertNearest("900719925474099300000000000000000e-17");
  }

  @Test
  void readsEveryHalf() {
    for (int bits = 0; bits < INFINITE_HALF; bits++) {
      short negative = (short) (bits | Short.MIN_VALUE);
      assertBits(halves, HALVES[bits].toString(), true, bits);
      assertBits(halves, "-" + HALVES[bits].toPlainString(), true, negative);
      assertBits(halves, Float.toString(Float.float16ToFloat((short) bits)), true, bits);
      assertBits(halves, Float.toString(Float.float16ToFloat(negative)), true, negative);
    }
  }

  /// The middle between two halves is a double, and so may be the double nearest to a text that is
  /// not that middle.
  @Test
  void roundsHalfwayBetweenHalves() {
    for (int bits = 0; bits < INFINITE_HALF; bits++) {
      BigDecimal middle = middle(HALVES[bits], HALVES[bits + 1]);
      BigDecimal little = middle.movePointLeft(4 + bits % 30);
      boolean isNegative = random.nextBoolean();
      assertHalf(middle, isNegative, bits + (bits & 1));
      assertHalf(middle.subtract(little), isNegative, bits);
      assertHalf(middle.add(little), isNegative, bits + 1);
    }
  }

  private void assertHalf(BigDecimal magnitude, boolean isNegative, int bits) {
    short signed = (short) (isNegative ? bits | Short.MIN_VALUE : bits);
    assertBits(halves, (isNegative ? "-" : "") + magnitude, bits < INFINITE_HALF, signed);
  }

  @Test
  void readsNumbersNearHalves() {
    for (int i = 0; i < 15_000; i++) {
      double value = Float.float16ToFloat((short) random.nextInt(INFINITE_HALF));
      double other = value * (1 + (random.nextDouble() - 0.5) / 512);
      assertNearestHalf(Double.toString(random.nextBoolean() ? other : -(float) other));
    }
  }

  @ParameterizedTest
  @EnumSource
  void rejectsNumbersBeyondTheRange(Precision precision) {
    FloatParser parser = new FloatParser(precision, '.', /* canonical= */ false);
    BigDecimal limit =
        switch (precision) {
          case HALF -> BigDecimal.valueOf(65_520);
          case SINGLE -> new BigDecimal(BigInteger.TWO.pow(128).subtract(BigInteger.TWO.pow(103)));
          case DOUBLE -> new BigDecimal(BigInteger.TWO.pow(1024).subtract(BigInteger.TWO.pow(970)));
        };
    for (int sign = -1; sign <= 1; sign += 2) {
      String minus = sign < 0 ? "-" : "";
      Embedded.assertNoValue(parser, minus + limit);
      Embedded.assertNoValue(parser, minus + limit + ".000");
      Embedded.assertNoValue(parser, minus + limit.add(BigDecimal.ONE));
      Embedded.assertNoValue(parser, minus + "1e400");
      Embedded.assertNoValue(parser, minus + "1e99999999999999999999");
      Embedded.assertNoValue(parser, minus + "9".repeat(400));
      String below = minus + limit.subtract(BigDecimal.ONE);
      long greatest = bits(precision, sign, /* isGreatest= */ true);
      assertBits(parser, below, true, greatest);
      assertBits(parser, below + "." + "9".repeat(40), true, greatest);
    }
  }

  private static long bits(Precision precision, int sign, boolean isGreatest) {
    return switch (precision) {
      case HALF -> Float.floatToFloat16(sign * (isGreatest ? 65_504F : 0x1p-24F));
      case SINGLE ->
          Float.floatToRawIntBits(sign * (isGreatest ? Float.MAX_VALUE : Float.MIN_VALUE));
      case DOUBLE ->
          Double.doubleToRawLongBits(sign * (isGreatest ? Double.MAX_VALUE : Double.MIN_VALUE));
    };
  }

  @ParameterizedTest
  @CsvSource({"HALF, 25", "SINGLE, 150", "DOUBLE, 1075"})
  void numbersUpToHalfOfTheLeastAreZero(Precision precision, int power) {
    FloatParser parser = new FloatParser(precision, '.', /* canonical= */ false);
    BigDecimal half = BigDecimal.ONE.divide(TWO.pow(power));
    BigDecimal little = half.ulp().movePointLeft(20);
    assertBits(parser, half.toString(), true, 0);
    assertBits(parser, half.subtract(little).toString(), true, 0);
    assertBits(parser, half.add(little).toString(), true, bits(precision, 1, false));
    assertBits(parser, "-" + half.add(little), true, bits(precision, -1, false));
    for (String zero :
        new String[] {
          "0",
          "0.",
          ".0",
          "0e400",
          "0e-400",
          "1e-400",
          "0E+99999999999",
          "1e-99999999999999999999",
          "0." + "0".repeat(400) + "1",
          "0".repeat(1_000)
        }) {
      assertBits(parser, zero, true, 0);
    }
    long negativeZero = Long.MIN_VALUE >> Long.SIZE - precision.bitWidth();
    assertBits(parser, "-0", true, negativeZero);
    assertBits(parser, "-0.00e7", true, negativeZero);
    assertBits(parser, "-1e-400", true, negativeZero);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nan", "inf", "infinity"})
  void wordsAreNotFiniteInAnyCase(String word) {
    for (FloatParser parser : new FloatParser[] {doubles, singles, halves}) {
      int index = parser == doubles ? 0 : parser == singles ? 1 : 2;
      for (String sign : new String[] {"", "+", "-"}) {
        float value = Float.parseFloat(sign + (word.equals("nan") ? "NaN" : "Infinity"));
        long[] bits = {
          Double.doubleToRawLongBits(value),
          Float.floatToRawIntBits(value),
          Float.floatToFloat16(value)
        };
        for (String text :
            new String[] {
              word,
              word.toUpperCase(Locale.ROOT),
              word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1)
            }) {
          Embedded.assertValue(parser, sign + text, bits[index]);
          assertThat(parser.isFinite()).isFalse();
        }
      }
      Embedded.assertValue(parser, "0", 0);
      assertThat(parser.isFinite()).isTrue();
    }
  }

  @Test
  void manyZerosAndLongExponentsSayTheSame() {
    for (String text :
        new String[] {
          "1",
          "01",
          "1.",
          "1.000",
          "+1",
          "0.1e1",
          ".1e+1",
          "10e-1",
          "10E-0001",
          "1e0",
          "1e-0",
          "0." + "0".repeat(400) + "1e401",
          "1" + "0".repeat(400) + "e-400",
          "1" + "0".repeat(400) + "." + "0".repeat(400) + "e-400",
          "0." + "0".repeat(900) + "1e901",
          "1" + "0".repeat(900) + "e-900",
          "0".repeat(999) + "1"
        }) {
      assertNearest(text);
      assertNearestHalf(text);
      assertThat(Double.longBitsToDouble(doubles.low())).as(text).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "007.5",
        "+1.5",
        "00",
        "-01",
        "01.5",
        "-00000001.5",
        "9007199254740993",
        "9999999999999999",
        "12345678901234567890"
      })
  void canonicalNumbersLoseNothing(String text) {
    FloatParser canonical = new FloatParser(Precision.DOUBLE, '.', /* canonical= */ true);
    Embedded.assertNoValue(canonical, text);
    Embedded.assertNoValue(canonical, text.equals("+1.5") ? "+1" : text);
    for (String number :
        new String[] {
          "0.5", "-0.25", "0", "9007199254740992", "-1234567890123.25", "1e300", ".5"
        }) {
      Embedded.assertValue(
          canonical, number, Double.doubleToRawLongBits(Double.parseDouble(number)));
    }
  }

  @Test
  void thePointMayBeAComma() {
    FloatParser commas = new FloatParser(Precision.DOUBLE, ',', /* canonical= */ false);
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = digits(2 + random.nextInt(30)).insert(1, '.').append("e-3");
      double value = Double.parseDouble(text.toString());
      assertBits(
          commas, text.toString().replace('.', ','), true, Double.doubleToRawLongBits(value));
      Embedded.assertNoValue(commas, text.toString());
    }
    FloatParser halfCommas = new FloatParser(Precision.HALF, ',', /* canonical= */ false);
    assertBits(halfCommas, "1,00048828125", true, Float.floatToFloat16(1));
    assertBits(halfCommas, "1,0004882812500000000000000001", true, 0x3C01);
    Embedded.assertNoValue(doubles, "1,5");
    Embedded.assertNoValue(commas, "1.000,5");
    Embedded.assertNoValue(commas, ",");
  }

  @Test
  void textsHaveAtMostOneThousandBytes() {
    assertBits(doubles, "-" + "0".repeat(998) + "1", true, Double.doubleToRawLongBits(-1));
    Embedded.assertNoValue(doubles, "-" + "0".repeat(999) + "1");
    assertBits(doubles, "1." + "0".repeat(998), true, Double.doubleToRawLongBits(1));
    Embedded.assertNoValue(doubles, "1." + "0".repeat(999));
    Embedded.assertNoValue(doubles, "1e" + "0".repeat(999));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "+",
        "-",
        ".",
        "-.",
        "e",
        "e5",
        ".e5",
        "+e5",
        "1e",
        "1e+",
        "1e-",
        "1e 5",
        "1e5.0",
        "1e+-5",
        "1ee5",
        "1e5e5",
        " 1",
        "1 ",
        "1 000",
        "1_000",
        "1,000",
        "1'000",
        "--1",
        "+-1",
        "-+1",
        "1-",
        "1+",
        "1.2.3",
        "1..2",
        "0x1",
        "0x1p3",
        "1f",
        "1d",
        "1F",
        "1D",
        "1L",
        "1%",
        "$1",
        "€1",
        "1\0",
        "١",
        "−1",
        "1\n",
        "\t1",
        "in",
        "infi",
        "infinit",
        "infinityy",
        "na",
        "nan0",
        "nan(0)",
        "--inf",
        "+ inf",
        "1inf",
        "inf1",
        "null",
        "1e5f",
        "∞",
        "é"
      })
  void rejectsInvalidNumbers(String text) {
    for (FloatParser parser : new FloatParser[] {doubles, singles, halves}) {
      Embedded.assertNoValue(parser, text);
    }
  }
}
