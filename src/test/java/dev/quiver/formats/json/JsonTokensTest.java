package dev.quiver.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.Limits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonToken;

/// The tokens of JSON are those that a parser finds, and text that a parser rejects is not read.
class JsonTokensTest {

  private static final String[] SCALARS = {
    "null", "true", "false", "0", "-0", "-1.5e-7", "12345678901234567890", "1E+2", "\"\""
  };

  /// Characters and escapes of strings.
  private static final String[] PIECES = {
    "a",
    " ",
    ":",
    ",",
    "{",
    "]",
    "ä",
    "→",
    "😀",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\n",
    "\\r",
    "\\t",
    "\\u0000",
    "\\u00e4",
    "\\u2192",
    "\\uD83D\\uDE00",
    "\\uFFFF",
    "u0041"
  };

  /// Texts that are somewhere wrong.
  private static final String[] MUTATIONS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\uD83D",
    "\\uDE00",
    "\\u00zz",
    "0",
    "1",
    "-",
    "+",
    ".",
    "e",
    "E",
    "01",
    "tru",
    "nul",
    "NaN",
    "Infinity",
    "'",
    "/",
    "//",
    "#",
    "\u0000",
    "\u0001",
    "\t",
    "\n",
    "\f",
    "\u007F",
    "\u0085",
    "\u00A0",
    "\uFEFF",
    " "
  };

  private static final String[] PIECES_AFTER = {
    "", "\"", "\":1}", "0", "e1}", "ull}", "}", "]}", ",\"a\":1}"
  };

  private static final String[] BLANKS = {"", "", "", " ", "\t", "\n", "\r\n"};

  private static final JsonKey EXPECTED = new JsonKey("a");

  private final Random random = new Random();
  private final StringBuilder text = new StringBuilder();

  @Tag("random")
  @Test
  void areThoseOfAParser() {
    for (int seed : Trials.seeds(2000)) {
      boolean isArray = records(seed);
      List<String> expected = parsed(isArray);
      JsonBlock block = block(isArray);
      assertThat(found(new JsonTokens(block, Limits.DEFAULT)))
          .as(text.toString())
          .isEqualTo(expected);
      assertThat(found(new JsonCheckedTokens(block, Limits.DEFAULT)))
          .as(text.toString())
          .isEqualTo(expected);
    }
  }

  /// The bytes after the records are those of another block, which may go on in any way.
  @Tag("random")
  @Test
  void checkedTokensAreThoseOfAParserOrUncertain() {
    int certain = 0;
    int rejected = 0;
    for (int seed : Trials.seeds(20_000)) {
      boolean isArray = records(seed);
      mutate();
      JsonBlock block = block(isArray);
      byte[] after = oneOf(PIECES_AFTER).getBytes(StandardCharsets.UTF_8);
      System.arraycopy(after, 0, block.text, block.end + 1, after.length);
      List<String> found;
      try {
        found = found(new JsonCheckedTokens(block, Limits.DEFAULT));
        certain++;
      } catch (JsonCheckedTokens.UncertainException e) {
        rejected++;
        continue;
      }
      assertThat(found).as(text.toString()).isEqualTo(parsed(isArray));
    }
    assertThat(certain).isPositive();
    assertThat(rejected).isPositive();
  }

  /// Makes the text of some records.
  ///
  /// @return whether commas are between them
  private boolean records(int seed) {
    random.setSeed(seed);
    text.setLength(0);
    boolean isArray = random.nextBoolean();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      text.append(i > 0 && isArray ? "," : "\n");
      object(3);
    }
    return isArray;
  }

  /// Replaces, removes or inserts some characters of the text, or cuts it.
  private void mutate() {
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(8)) {
        case 0 -> text.setLength(at);
        case 1, 2, 3 -> text.delete(at, Math.min(at + 1, text.length()));
        case 4, 5 -> text.insert(at, oneOf(MUTATIONS));
        default -> text.replace(at, Math.min(at + 1, text.length()), oneOf(MUTATIONS));
      }
    }
  }

  private void value(int depth) {
    blank();
    switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0, 1 -> string();
      case 2, 3 -> text.append(oneOf(SCALARS));
      case 4 -> object(depth - 1);
      default -> array(depth - 1);
    }
    blank();
  }

  private void object(int depth) {
    text.append('{');
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      text.append(i > 0 ? "," : "");
      blank();
      string();
      blank();
      text.append(':');
      value(depth);
    }
    blank();
    text.append('}');
  }

  private void array(int depth) {
    text.append('[');
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      text.append(i > 0 ? "," : "");
      value(depth);
    }
    blank();
    text.append(']');
  }

  private void string() {
    text.append('"');
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(oneOf(PIECES));
    }
    text.append('"');
  }

  private void blank() {
    text.append(oneOf(BLANKS));
  }

  private String oneOf(String[] texts) {
    return texts[random.nextInt(texts.length)];
  }

  private JsonBlock block(boolean isArray) {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    JsonBlock block = new JsonBlock();
    block.isArray = isArray;
    block.reserve(JsonBlock.FIRST + bytes.length);
    System.arraycopy(bytes, 0, block.text, JsonBlock.FIRST, bytes.length);
    block.end = JsonBlock.FIRST + bytes.length;
    return block;
  }

  private List<String> parsed(boolean isArray) {
    List<String> lines = new ArrayList<>();
    try (JsonParserTokens tokens = new JsonParserTokens(block(isArray), Limits.DEFAULT)) {
      JsonToken token = tokens.next();
      while (token != null) {
        if (token == JsonToken.PROPERTY_NAME) {
          lines.add("%s at %d".formatted(tokens.name(), tokens.nameOffset()));
        } else if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
          tokens.readScalar(token);
          lines.add(scalar(token, tokens.text, tokens.start, tokens.end, tokens.scalarOffset()));
        } else {
          lines.add(token.name());
        }
        token = tokens.next();
      }
    }
    return lines;
  }

  /// Returns the tokens, some of whose keys are expected.
  private List<String> found(JsonTokens tokens) {
    List<String> lines = new ArrayList<>();
    JsonToken token = tokens.next();
    while (token != null) {
      if (token == JsonToken.PROPERTY_NAME) {
        lines.add("%s at %d".formatted(tokens.name(), tokens.nameOffset()));
      } else if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
        tokens.readScalar(token);
        lines.add(scalar(token, tokens.text, tokens.start, tokens.end, tokens.scalarOffset()));
      } else {
        lines.add(token.name());
      }
      token =
          isInObject(tokens) && tokens.readKey(EXPECTED) ? JsonToken.PROPERTY_NAME : tokens.next();
    }
    return lines;
  }

  /// Returns whether a key may be next. Tokens that are not checked are not asked within arrays.
  private static boolean isInObject(JsonTokens tokens) {
    return tokens instanceof JsonCheckedTokens || !tokens.block().isArray;
  }

  private static String scalar(JsonToken token, byte[] text, int start, int end, int offset) {
    return "%s %s at %d"
        .formatted(
            token.isNumeric() ? "NUMBER" : token,
            new String(text, start, end - start, StandardCharsets.UTF_8),
            offset);
  }

  @Test
  void aValueIsSkippedWhole() {
    text.append("{\"a\":{\"b\":[\"}\",{\"]\":[]}]},\"c\":1}");
    JsonTokens tokens = new JsonTokens(block(/* isArray= */ false), Limits.DEFAULT);
    assertThat(tokens.required()).isEqualTo(JsonToken.START_OBJECT);
    assertThat(tokens.required()).isEqualTo(JsonToken.PROPERTY_NAME);
    tokens.skip(tokens.required());
    assertThat(tokens.required()).isEqualTo(JsonToken.PROPERTY_NAME);
    assertThat(tokens.name()).isEqualTo("c");
    tokens.skip(tokens.required());
    assertThat(tokens.required()).isEqualTo(JsonToken.END_OBJECT);
    assertThat(tokens.next()).isNull();
  }

  private JsonTokens checked(String records) {
    text.setLength(0);
    text.append(records);
    JsonTokens tokens = new JsonCheckedTokens(block(/* isArray= */ false), Limits.DEFAULT);
    assertThat(tokens.required()).isEqualTo(JsonToken.START_OBJECT);
    return tokens;
  }

  @Test
  void anExpectedKeyIsReadWithItsColon() {
    for (String name :
        List.of("", "a", "äöü", "seven78", "thirteen chars", "a key of many words")) {
      for (String start : List.of("", " ")) {
        JsonTokens tokens = checked("{%s\"%s\":\"x\", \"%2$s\":2}".formatted(start, name));
        assertThat(tokens.readKey(new JsonKey(name + "b"))).isFalse();
        assertThat(tokens.readKey(new JsonKey(name))).as(name).isTrue();
        assertThat(tokens.name()).isEqualTo(name);
        assertThat(tokens.nameOffset()).isEqualTo(JsonBlock.FIRST + 1 + start.length());
        assertThat(tokens.readKey(new JsonKey(name))).isFalse();
        assertThat(tokens.required()).isEqualTo(JsonToken.VALUE_STRING);
        assertThat(tokens.readKey(new JsonKey(name))).isTrue();
        assertThat(tokens.required()).isEqualTo(JsonToken.VALUE_NUMBER_FLOAT);
        assertThat(tokens.required()).isEqualTo(JsonToken.END_OBJECT);
      }
    }
  }

  /// The bytes of the key are those of another name.
  @Test
  void anEscapedKeyIsNotTheNameThatItLooksLike() {
    JsonTokens tokens = checked("{\"\\u0041\":1}");
    assertThat(tokens.readKey(new JsonKey("\\u0041"))).isFalse();
    assertThat(tokens.required()).isEqualTo(JsonToken.PROPERTY_NAME);
    assertThat(tokens.name()).isEqualTo("A");
  }

  /// The space is after the end of the block, and before what an earlier block has left.
  @Test
  void noKeyIsReadBeyondTheEnd() {
    JsonTokens tokens = checked("{\"a");
    byte[] rest = "b\":1}".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(rest, 0, tokens.block().text, tokens.block().end + 1, rest.length);
    assertThatExceptionOfType(JsonCheckedTokens.UncertainException.class)
        .isThrownBy(() -> tokens.readKey(new JsonKey("a b")));
  }

  @Test
  void halvesOfSurrogatePairsAreUncertain() {
    for (String half :
        List.of(
            "\\uDE00", "\\uDE00\\uDE00", "\\uD83D", "\\uD83D\\u0041", "\\uD83D\\n", "\\uD83Dx")) {
      JsonTokens tokens = checked("{\"%s\":1}".formatted(half));
      assertThatExceptionOfType(JsonCheckedTokens.UncertainException.class)
          .as(half)
          .isThrownBy(tokens::required);
    }
  }

  /// A string in place of a key is a value, whatever follows it.
  @Test
  void noKeyIsReadInAnArray() {
    JsonTokens tokens = checked("{\"a\":[\"a\":1]}");
    assertThat(tokens.readKey(EXPECTED)).isTrue();
    assertThat(tokens.required()).isEqualTo(JsonToken.START_ARRAY);
    assertThat(tokens.readKey(EXPECTED)).isFalse();
    assertThat(tokens.required()).isEqualTo(JsonToken.VALUE_STRING);
    assertThatExceptionOfType(JsonCheckedTokens.UncertainException.class)
        .isThrownBy(tokens::required);
  }
}
