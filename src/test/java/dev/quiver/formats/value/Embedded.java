package dev.quiver.formats.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// Texts amid others, which a parser must not look at.
final class Embedded {

  private static final String[] BEFORE = {"-1", "12345678.9+0.", " "};

  /// Only after the first one does the array end within a word that begins with the text.
  private static final String[] AFTER = {"0", "e1,.5,-3,12345678", ":00Z 9876543210"};

  /// Longer texts are parsed amid only one of the others, as most tests have many of them.
  private static final int SHORT_LENGTH = 8;

  private Embedded() {}

  /// Returns whether a text is a value, wherever in an array it is.
  static boolean parse(ValueParser parser, String text) {
    boolean isValue = parse(parser, "", text, "");
    long low = parser.low();
    long high = parser.high();
    boolean isShort = text.length() <= SHORT_LENGTH;
    int first = isShort ? 0 : Math.floorMod(text.hashCode(), BEFORE.length);
    int last = isShort ? BEFORE.length - 1 : first;
    for (int i = first; i <= last; i++) {
      // AssertJ is called only for a mismatch, since there are millions of comparisons.
      if (parse(parser, BEFORE[i], text, AFTER[i]) != isValue
          || isValue && (parser.low() != low || parser.high() != high)) {
        assertThat(parser.low())
            .as("\"%s\" between \"%s\" and \"%s\"", text, BEFORE[i], AFTER[i])
            .isEqualTo(isValue ? low : "no value");
      }
    }
    return isValue;
  }

  private static boolean parse(ValueParser parser, String before, String text, String after) {
    byte[] bytes = (before + text + after).getBytes(StandardCharsets.UTF_8);
    return parser.parse(bytes, before.length(), bytes.length - after.length());
  }

  /// Fails unless a text is this value of at most 64 bits.
  static void assertValue(ValueParser parser, String text, long expected) {
    if (!parse(parser, text) || parser.low() != expected) {
      assertThat(parse(parser, text)).as(text).isTrue();
      assertThat(parser.low()).as(text).isEqualTo(expected);
    }
  }

  /// Fails unless a text is this value, if 64 bits hold that, and otherwise none.
  static void assertValue(ValueParser parser, String text, BigInteger expected) {
    if (expected.bitLength() < Long.SIZE) {
      assertValue(parser, text, expected.longValue());
    } else {
      assertNoValue(parser, text);
    }
  }

  static void assertNoValue(ValueParser parser, String text) {
    if (parse(parser, text)) {
      assertThat(parser.low()).as("\"%s\"", text).isEqualTo("no value");
    }
  }

  static BigInteger int128(ValueParser parser) {
    BigInteger high = BigInteger.valueOf(parser.high()).shiftLeft(Long.SIZE);
    return high.add(new BigInteger(Long.toUnsignedString(parser.low())));
  }
}
