package dev.quiver.formats.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests booleans, and UUIDs against those of the JDK.
class WordParsersTest {

  private final BooleanParser booleans = new BooleanParser(/* canonical= */ false);
  private final BooleanParser canonicalBooleans = new BooleanParser(/* canonical= */ true);
  private final UuidParser uuids = new UuidParser();

  @Test
  void booleansAreWordsInAnyCase() {
    List<String> words = List.of("true", "t", "yes", "y", "1", "false", "f", "no", "n", "0");
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      long expected = i < 5 ? 1 : 0;
      boolean isCanonical = word.equals("true") || word.equals("false");
      // Each bit says whether a letter is in upper case.
      for (int cases = 0; cases < 1 << word.length(); cases++) {
        StringBuilder text = new StringBuilder(word);
        for (int j = 0; j < word.length(); j++) {
          char letter = word.charAt(j);
          text.setCharAt(j, (cases >> j & 1) == 1 ? Character.toUpperCase(letter) : letter);
        }
        Embedded.assertValue(booleans, text.toString(), expected);
        if (isCanonical) {
          Embedded.assertValue(canonicalBooleans, text.toString(), expected);
        } else {
          Embedded.assertNoValue(canonicalBooleans, text.toString());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "tru", "truee", " true", "true ", "tr ue", "fals", "falsee", "ye", "yess", "on",
        "off", "2", "-1", "+1", "00", "01", "1.0", "null", "ſ", "\u0011", "\u0010", "é", "truė"
      })
  void rejectsInvalidBooleans(String text) {
    Embedded.assertNoValue(booleans, text);
    Embedded.assertNoValue(canonicalBooleans, text);
  }

  @Test
  void uuidsHaveHyphensOrNone() {
    Random random = new Random(10);
    for (int i = 0; i < 10_000; i++) {
      UUID uuid =
          new UUID(i == 0 ? 0 : i == 1 ? -1 : random.nextLong(), i < 2 ? -i : random.nextLong());
      for (String text :
          new String[] {
            uuid.toString(),
            uuid.toString().toUpperCase(Locale.ROOT),
            uuid.toString().replace("-", "")
          }) {
        // An array has the bytes in the order of the digits.
        Embedded.assertValue(uuids, text, Long.reverseBytes(uuid.getMostSignificantBits()));
        assertThat(uuids.high()).isEqualTo(Long.reverseBytes(uuid.getLeastSignificantBits()));
      }
    }
  }

  @Test
  void eachCharacterOfAUuidCounts() {
    String text = "01234567-89ab-cdef-0123-456789abcdef";
    String hexadecimal = "0123456789abcdefABCDEF";
    for (int i = 0; i < text.length(); i++) {
      boolean isHyphen = text.charAt(i) == '-';
      for (char other = 0; other < 0x80; other++) {
        String changed = text.substring(0, i) + other + text.substring(i + 1);
        assertThat(Embedded.parse(uuids, changed))
            .as(changed)
            .isEqualTo(isHyphen ? other == '-' : hexadecimal.indexOf(other) >= 0);
      }
      Embedded.assertNoValue(uuids, text.substring(0, i));
      Embedded.assertNoValue(uuids, text.substring(0, i) + text.substring(i + 1));
      Embedded.assertNoValue(uuids, text.substring(0, i) + "-" + text.substring(i));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{01234567-89ab-cdef-0123-456789abcdef}",
        "urn:uuid:01234567-89ab-cdef-0123-456789abcdef",
        " 1234567-89ab-cdef-0123-456789abcdef",
        "1-1-1-1-1",
        "01234567-89abcdef-0123-456789abcdef",
        "0123456789ab-cdef-0123-456789abcdef0",
        "0123-4567-89ab-cdef-0123-4567-89abcdef",
        "é123456789abcdef0123456789abcde",
        "0123456789abcdef0123456789abcde１"
      })
  void rejectsInvalidUuids(String text) {
    Embedded.assertNoValue(uuids, text);
  }
}
