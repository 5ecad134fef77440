package dev.quiver.formats.json;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/// The tokens of a block, in order, with the texts of scalars as bytes. Used by one thread.
///
/// [JsonParserTokens] found the text to be JSON, so nothing is checked again, and what a parser
/// must compare is skipped. Of other text, the tokens are any, and may end with an
/// [IndexOutOfBoundsException].
final class JsonTokens {

  private static final int UNICODE_ESCAPE_LENGTH = 6;

  private final JsonBlock block;
  private final Limits limits;
  private final byte[] bytes;
  private final int limit;

  /// The offset after what was read.
  private int position;

  /// The last string or number in the block, without quotation marks.
  private int tokenStart;

  private int tokenEnd;
  private boolean hasEscape;

  /// The text of the last scalar that was read, from `start` to `end`. The next one may overwrite
  /// it.
  byte[] text;

  int start;
  int end;

  /// The offset in the block of the last scalar.
  private int scalarOffset;

  private byte[] decoded = {};

  JsonTokens(JsonBlock block, Limits limits) {
    block.enclose();
    this.block = block;
    this.limits = limits;
    this.bytes = block.text;
    this.text = bytes;
    this.position = block.isArray ? JsonBlock.FIRST - 1 : JsonBlock.FIRST;
    this.limit = block.isArray ? block.end + 1 : block.end;
  }

  JsonBlock block() {
    return block;
  }

  /// Returns the next token, or null at the end.
  @Nullable JsonToken next() {
    int i = position;
    byte b;
    do {
      if (i >= limit) {
        return null;
      }
      b = bytes[i++];
    } while (b <= ' ' || b == ',' || b == ':');
    position = i;
    return switch (b) {
      case '{' -> JsonToken.START_OBJECT;
      case '}' -> JsonToken.END_OBJECT;
      case '[' -> JsonToken.START_ARRAY;
      case ']' -> JsonToken.END_ARRAY;
      case '"' -> string(i);
      case 't' -> word(JsonToken.VALUE_TRUE, "true");
      case 'f' -> word(JsonToken.VALUE_FALSE, "false");
      case 'n' -> word(JsonToken.VALUE_NULL, "null");
      default -> number(i);
    };
  }

  private JsonToken word(JsonToken token, String word) {
    tokenStart = position - 1;
    tokenEnd = tokenStart + word.length();
    position = tokenEnd;
    return token;
  }

  private JsonToken number(int second) {
    int i = second;
    byte b = bytes[i];
    while (b > ' ' && b != ',' && b != '}' && b != ']') {
      b = bytes[++i];
    }
    tokenStart = second - 1;
    tokenEnd = i;
    position = i;
    // Which one it is makes no difference here.
    return JsonToken.VALUE_NUMBER_FLOAT;
  }

  /// Returns a name if a colon follows, or a value.
  private JsonToken string(int first) {
    int i = first;
    hasEscape = false;
    byte b = bytes[i++];
    while (b != '"') {
      if (b == '\\') {
        hasEscape = true;
        i++;
      }
      b = bytes[i++];
    }
    tokenStart = first;
    tokenEnd = i - 1;
    position = i;
    while (i < limit && JsonScanner.isBlank(bytes[i])) {
      i++;
    }
    if (i < limit && bytes[i] == ':') {
      position = i + 1;
      return JsonToken.PROPERTY_NAME;
    }
    return JsonToken.VALUE_STRING;
  }

  /// Returns the next token of a value that has begun.
  JsonToken required() {
    JsonToken token = next();
    if (token == null) {
      throw new IllegalStateException("Expected a token but found the end");
    }
    return token;
  }

  /// Returns whether the key that is the current token is as expected, and without escapes.
  boolean isName(byte[] expected) {
    return !hasEscape && Arrays.equals(bytes, tokenStart, tokenEnd, expected, 0, expected.length);
  }

  /// Returns the key that is the current token.
  String name() {
    readText();
    return new String(text, start, end - start, StandardCharsets.UTF_8);
  }

  /// Returns the offset in the block of the key that is the current token.
  int nameOffset() {
    return tokenStart - 1;
  }

  /// Returns the offset in the block after what was read.
  int offset() {
    return position;
  }

  /// Returns the offset in the block of the last scalar.
  int scalarOffset() {
    return scalarOffset;
  }

  /// Returns the failure of a record with too many slots within lists.
  TooLargeInputException tooManySlots() {
    return limits
        .decompressionRatio()
        .exceeded("nulls for absent keys of objects in arrays", InputLocation.UNKNOWN);
  }

  /// Reads the text of a scalar: a string without its quotation marks, a number as it is written.
  void readScalar(JsonToken token) {
    if (token == JsonToken.VALUE_STRING) {
      readText();
      scalarOffset = tokenStart - 1;
    } else {
      set(bytes, tokenStart, tokenEnd);
      scalarOffset = tokenStart;
    }
  }

  private void readText() {
    if (hasEscape) {
      decode();
    } else {
      set(bytes, tokenStart, tokenEnd);
    }
  }

  private void set(byte[] source, int from, int to) {
    text = source;
    start = from;
    end = to;
  }

  /// Reads the text of a string with escapes, which is longer than what they mean.
  private void decode() {
    if (decoded.length < tokenEnd - tokenStart) {
      decoded = new byte[tokenEnd - tokenStart];
    }
    int length = 0;
    int i = tokenStart;
    while (i < tokenEnd) {
      byte b = bytes[i++];
      if (b != '\\') {
        decoded[length++] = b;
        continue;
      }
      byte escape = bytes[i++];
      switch (escape) {
        case 'b' -> decoded[length++] = '\b';
        case 'f' -> decoded[length++] = '\f';
        case 'n' -> decoded[length++] = '\n';
        case 'r' -> decoded[length++] = '\r';
        case 't' -> decoded[length++] = '\t';
        case 'u' -> {
          int character = unit(i);
          i += UNICODE_ESCAPE_LENGTH - 2;
          if (Character.isHighSurrogate((char) character)) {
            character = Character.toCodePoint((char) character, unit(i + 2));
            i += UNICODE_ESCAPE_LENGTH;
          }
          byte[] utf8 = Character.toString(character).getBytes(StandardCharsets.UTF_8);
          System.arraycopy(utf8, 0, decoded, length, utf8.length);
          length += utf8.length;
        }
        default -> decoded[length++] = escape;
      }
    }
    set(decoded, 0, length);
  }

  /// Returns the code unit of four hexadecimal digits.
  private char unit(int offset) {
    int unit = 0;
    for (int i = offset; i < offset + 4; i++) {
      unit = unit << 4 | Character.digit(bytes[i], 16);
    }
    return (char) unit;
  }

  /// Skips the value that begins with a token.
  void skip(JsonToken token) {
    int level = 0;
    JsonToken next = token;
    while (true) {
      if (next.isStructStart()) {
        level++;
      } else if (next.isStructEnd()) {
        level--;
      }
      if (level == 0) {
        return;
      }
      next = required();
    }
  }
}
