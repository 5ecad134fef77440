package dev.quiver.formats.json;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/// The tokens of a block that was found to be JSON, so nothing is checked again. Used by one
/// thread.
///
/// Of other text, the tokens are any, and may end with an [IndexOutOfBoundsException].
class JsonTokens extends JsonTokenReader {

  static final int UNICODE_ESCAPE_LENGTH = 6;

  static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private static final long QUOTATION_MARKS = ByteWords.repeated('"');
  private static final long BACKSLASHES = ByteWords.repeated('\\');

  final byte[] bytes;
  final int limit;

  /// The offset after what was read.
  int position;

  /// The last string or number in the block, without quotation marks.
  int tokenStart;

  int tokenEnd;
  boolean hasEscape;

  private byte[] decoded = {};

  JsonTokens(JsonBlock block, Limits limits) {
    super(block, limits);
    this.bytes = block.text;
    this.position = block.isArray ? JsonBlock.FIRST - 1 : JsonBlock.FIRST;
    this.limit = block.isArray ? block.end + 1 : block.end;
  }

  @Override
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
      case 't' -> word(JsonToken.VALUE_TRUE, TRUE);
      case 'f' -> word(JsonToken.VALUE_FALSE, FALSE);
      case 'n' -> word(JsonToken.VALUE_NULL, NULL);
      default -> number(i);
    };
  }

  private JsonToken word(JsonToken token, byte[] word) {
    tokenStart = position - 1;
    tokenEnd = tokenStart + word.length;
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
    while (true) {
      long found = delimiters(word(i));
      if (found == 0) {
        i += Long.BYTES;
        continue;
      }
      i += Long.numberOfTrailingZeros(found) >>> 3;
      if (bytes[i] == '"') {
        break;
      }
      hasEscape = true;
      i += 2;
    }
    tokenStart = first;
    tokenEnd = i++;
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

  /// Returns eight characters. The padding of the block is after its last ones.
  final long word(int offset) {
    return LittleEndian.getInt64(bytes, offset);
  }

  /// Returns a word with the highest bit of each character that ends a string or begins an escape.
  static long delimiters(long word) {
    return ByteWords.zeros(word ^ QUOTATION_MARKS) | ByteWords.zeros(word ^ BACKSLASHES);
  }

  @Override
  boolean readKey(JsonKey expected) {
    int first = position;
    first += bytes[first] == ',' ? 1 : 0;
    first += bytes[first] == ' ' ? 1 : 0;
    if (!expected.isAt(bytes, first)) {
      return false;
    }
    hasEscape = false;
    tokenStart = first + 1;
    position = first + expected.byteSize();
    tokenEnd = position - 2;
    return true;
  }

  @Override
  final String name() {
    if (hasEscape) {
      int length = decode();
      return new String(decoded, 0, length, StandardCharsets.UTF_8);
    }
    return new String(bytes, tokenStart, tokenEnd - tokenStart, StandardCharsets.UTF_8);
  }

  @Override
  final int nameOffset() {
    return tokenStart - 1;
  }

  @Override
  final int offset() {
    return position;
  }

  /// Returns the failure of a record with too many slots within lists.
  TooLargeInputException tooManySlots() {
    return limits
        .decompressionRatio()
        .exceeded("nulls for absent keys of objects in arrays", InputLocation.UNKNOWN);
  }

  @Override
  final void readScalar(JsonToken token) {
    scalarOffset = token == JsonToken.VALUE_STRING ? tokenStart - 1 : tokenStart;
    if (token == JsonToken.VALUE_STRING && hasEscape) {
      int length = decode();
      setText(decoded, 0, length);
    } else {
      setText(bytes, tokenStart, tokenEnd);
    }
  }

  /// Decodes a string with escapes, which is longer than what they mean.
  ///
  /// @return the number of bytes
  private int decode() {
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
    return length;
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
