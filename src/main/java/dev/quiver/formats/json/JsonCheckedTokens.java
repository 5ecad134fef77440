package dev.quiver.formats.json;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.value.ValueParser;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/// The tokens of a block of whole characters, which are checked to be JSON (RFC 8259) as they are
/// read. Used by one thread.
///
/// Text with anything else ends with an [UncertainException], and a parser then reads the block
/// again and reports the error. So this accepts less than the parser, and never more.
final class JsonCheckedTokens extends JsonTokens {

  private static final int STACK_SIZE_MINIMUM = 16;

  /// The first code unit of the second half of a surrogate pair.
  private static final int LOW_SURROGATE_MINIMUM = 0xDC00;

  private Place place = Place.RECORDS;

  /// Whether the container around is an array, and the same for those around it.
  private boolean isInArray;

  private boolean[] outer = new boolean[STACK_SIZE_MINIMUM];
  private int depth;

  /// The place of the next token.
  private enum Place {
    /// Outside of any value.
    RECORDS,
    /// After the bracket that begins an object or an array.
    START,
    /// After a key.
    VALUE,
    /// After a value within an object or an array.
    AFTER_VALUE
  }

  /// Text that may not be JSON.
  static final class UncertainException extends RuntimeException {
    UncertainException() {
      super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
  }

  JsonCheckedTokens(JsonBlock block, Limits limits) {
    super(block, limits);
  }

  @Override
  @Nullable JsonToken next() {
    byte b = nextCharacter();
    return switch (place) {
      case VALUE -> value(b);
      case AFTER_VALUE -> {
        if (b != ',') {
          yield ended(b);
        }
        byte next = nextCharacter();
        yield isInArray ? value(next) : key(next);
      }
      case START -> {
        if (b == '}' || b == ']') {
          yield ended(b);
        }
        yield isInArray ? value(b) : key(b);
      }
      case RECORDS -> {
        if (b == '{' || b == '[') {
          yield value(b);
        }
        if (b != 0) {
          throw new UncertainException();
        }
        yield null;
      }
    };
  }

  /// Reads the key of the next member of an object.
  @Override
  boolean readKey(JsonKey expected) {
    boolean hasComma = bytes[position] == ',';
    if (isInArray
        || place != (hasComma ? Place.AFTER_VALUE : Place.START)
        || !super.readKey(expected)) {
      return false;
    }
    if (position > limit) {
      throw new UncertainException();
    }
    place = Place.VALUE;
    return true;
  }

  /// Reads the next character that is not blank, or returns 0 at the end.
  private byte nextCharacter() {
    int i = position;
    while (i < limit) {
      byte b = bytes[i++];
      if (b > ' ' || b < 0) {
        position = i;
        return b;
      }
      if (!JsonScanner.isBlank(b)) {
        throw new UncertainException();
      }
    }
    position = limit;
    return 0;
  }

  private JsonToken value(byte first) {
    return switch (first) {
      case '{' -> begun(JsonToken.START_OBJECT, /* isArray= */ false);
      case '[' -> begun(JsonToken.START_ARRAY, /* isArray= */ true);
      case '"' -> {
        readString();
        place = Place.AFTER_VALUE;
        yield JsonToken.VALUE_STRING;
      }
      case 't' -> word(JsonToken.VALUE_TRUE, TRUE);
      case 'f' -> word(JsonToken.VALUE_FALSE, FALSE);
      case 'n' -> word(JsonToken.VALUE_NULL, NULL);
      default -> number(first);
    };
  }

  private JsonToken begun(JsonToken token, boolean isArray) {
    if (depth == outer.length) {
      outer = Arrays.copyOf(outer, 2 * depth);
    }
    outer[depth++] = isInArray;
    isInArray = isArray;
    place = Place.START;
    return token;
  }

  private JsonToken ended(byte bracket) {
    if (bracket != (isInArray ? ']' : '}')) {
      throw new UncertainException();
    }
    JsonToken token = isInArray ? JsonToken.END_ARRAY : JsonToken.END_OBJECT;
    isInArray = outer[--depth];
    place = depth == 0 ? Place.RECORDS : Place.AFTER_VALUE;
    return token;
  }

  private JsonToken key(byte first) {
    if (first != '"') {
      throw new UncertainException();
    }
    readString();
    if (nextCharacter() != ':') {
      throw new UncertainException();
    }
    place = Place.VALUE;
    return JsonToken.PROPERTY_NAME;
  }

  private JsonToken word(JsonToken token, byte[] word) {
    tokenStart = position - 1;
    tokenEnd = tokenStart + word.length;
    if (tokenEnd > limit || !Arrays.equals(bytes, tokenStart, tokenEnd, word, 0, word.length)) {
      throw new UncertainException();
    }
    position = tokenEnd;
    place = Place.AFTER_VALUE;
    return token;
  }

  /// Reads a number (RFC 8259, section 6).
  private JsonToken number(byte first) {
    tokenStart = position - 1;
    int i = first == '-' ? position : tokenStart;
    i = bytes[i] == '0' ? i + 1 : digitsEnd(i);
    if (bytes[i] == '.') {
      i = digitsEnd(i + 1);
    }
    if ((bytes[i] | 0x20) == 'e') {
      i++;
      i = digitsEnd(bytes[i] == '-' || bytes[i] == '+' ? i + 1 : i);
    }
    if (i > limit) {
      throw new UncertainException();
    }
    tokenEnd = i;
    position = i;
    place = Place.AFTER_VALUE;
    return JsonToken.VALUE_NUMBER_FLOAT;
  }

  /// Returns the offset after one or more digits.
  private int digitsEnd(int first) {
    int i = first;
    while (i < limit && ValueParser.isDigit(bytes[i])) {
      i++;
    }
    if (i == first) {
      throw new UncertainException();
    }
    return i;
  }

  /// Reads a string up to its closing quotation mark.
  private void readString() {
    tokenStart = position;
    hasEscape = false;
    int i = position;
    while (true) {
      long word = word(i);
      long found = delimiters(word) | ByteWords.below(word, ' ');
      if (found == 0) {
        i += Long.BYTES;
      } else {
        i += Long.numberOfTrailingZeros(found) >>> 3;
        if (i < limit && bytes[i] == '"') {
          break;
        }
        i = escapeEnd(i);
        hasEscape = true;
      }
      if (i >= limit) {
        throw new UncertainException();
      }
    }
    tokenEnd = i;
    position = i + 1;
  }

  /// Returns the offset after an escape.
  private int escapeEnd(int first) {
    if (bytes[first] != '\\') {
      throw new UncertainException();
    }
    return switch (bytes[first + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> first + 2;
      case 'u' -> {
        int unit = checkedUnit(first);
        int after = first + UNICODE_ESCAPE_LENGTH;
        if (!Character.isSurrogate((char) unit)) {
          yield after;
        }
        if (unit >= LOW_SURROGATE_MINIMUM
            || bytes[after] != '\\'
            || bytes[after + 1] != 'u'
            || !Character.isLowSurrogate((char) checkedUnit(after))) {
          throw new UncertainException();
        }
        yield after + UNICODE_ESCAPE_LENGTH;
      }
      default -> throw new UncertainException();
    };
  }

  /// Returns the code unit of an escape, such as `\u00e4`.
  private int checkedUnit(int first) {
    int unit = 0;
    for (int i = first + 2; i < first + UNICODE_ESCAPE_LENGTH; i++) {
      int digit = Character.digit(bytes[i], 16);
      if (digit < 0) {
        throw new UncertainException();
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }
}
