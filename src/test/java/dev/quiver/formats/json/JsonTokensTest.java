package dev.quiver.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.Limits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonToken;

/// The tokens of checked text are those that a parser finds.
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

  private static final String[] BLANKS = {"", "", "", " ", "\t", "\n", "\r\n"};

  private final Random random = new Random();
  private final StringBuilder text = new StringBuilder();

  @Tag("random")
  @Test
  void areThoseOfAParser() {
    for (int seed : Trials.seeds(2000)) {
      random.setSeed(seed);
      text.setLength(0);
      boolean isArray = random.nextBoolean();
      int count = random.nextInt(4);
      for (int i = 0; i < count; i++) {
        text.append(i > 0 && isArray ? "," : "\n");
        object(3);
      }
      assertThat(found(isArray)).as(text.toString()).isEqualTo(parsed(isArray));
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

  private List<String> found(boolean isArray) {
    List<String> lines = new ArrayList<>();
    JsonTokens tokens = new JsonTokens(block(isArray), Limits.DEFAULT);
    JsonToken token = tokens.next();
    while (token != null) {
      if (token == JsonToken.PROPERTY_NAME) {
        String name = tokens.name();
        lines.add("%s at %d".formatted(name, tokens.nameOffset()));
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        assertThat(tokens.isName(utf8)).isEqualTo(isPlain(tokens, utf8.length));
        assertThat(tokens.isName("other".getBytes(StandardCharsets.UTF_8))).isFalse();
      } else if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
        tokens.readScalar(token);
        lines.add(scalar(token, tokens.text, tokens.start, tokens.end, tokens.scalarOffset()));
      } else {
        lines.add(token.name());
      }
      token = tokens.next();
    }
    return lines;
  }

  /// Returns whether the key has no escapes, which make it longer.
  private static boolean isPlain(JsonTokens tokens, int byteSize) {
    return tokens.block().text[tokens.nameOffset() + 1 + byteSize] == '"'
        && new String(
                    tokens.block().text, tokens.nameOffset() + 1, byteSize, StandardCharsets.UTF_8)
                .indexOf('\\')
            < 0;
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

  /// The bytes of the key are those of another name.
  @Test
  void anEscapedKeyIsNotTheNameThatItLooksLike() {
    text.append("{\"\\u0041\":1}");
    JsonTokens tokens = new JsonTokens(block(/* isArray= */ false), Limits.DEFAULT);
    tokens.required();
    tokens.required();
    assertThat(tokens.isName("\\u0041".getBytes(StandardCharsets.UTF_8))).isFalse();
    assertThat(tokens.name()).isEqualTo("A");
  }
}
