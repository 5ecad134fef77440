package dev.quiver.arrow.text;

/// A check that bytes are one JSON value: RFC 8259. They are valid UTF-8, and may arrive in parts.
///
/// Objects and arrays may have [#DEPTH_MAXIMUM] levels, fewer than files of JSON may have by
/// default. Escapes of surrogates come in pairs, since many readers reject others.
final class JsonGrammar {

  /// The maximum number of levels.
  static final int DEPTH_MAXIMUM = 60;

  private enum State {
    VALUE,
    /// After the bracket that opens an array.
    FIRST_ITEM,
    /// After the brace that opens an object.
    FIRST_NAME,
    NAME,
    COLON,
    AFTER_VALUE,
    STRING,
    ESCAPE,
    HEXADECIMAL,
    WORD,
    MINUS,
    ZERO,
    INTEGER,
    POINT,
    FRACTION,
    EXPONENT,
    EXPONENT_SIGN,
    EXPONENT_DIGITS
  }

  private final boolean[] isObject = new boolean[DEPTH_MAXIMUM];
  private int depth;
  private State state = State.VALUE;
  private boolean isName;

  /// The rest of `true`, `false` or `null`.
  private String word = "";

  /// The characters of the word that were found, or the hexadecimal digits that are missing.
  private int count;

  /// The hexadecimal digits of an escape so far.
  private int escaped;

  /// Whether the last character of the string is the first half of a surrogate pair.
  private boolean isHalf;

  /// Begins another value.
  void begin() {
    depth = 0;
    state = State.VALUE;
    isName = false;
    isHalf = false;
  }

  /// Returns whether the bytes so far are one whole value.
  boolean isComplete() {
    return depth == 0
        && switch (state) {
          case AFTER_VALUE, ZERO, INTEGER, FRACTION, EXPONENT_DIGITS -> true;
          default -> false;
        };
  }

  /// Reads a part.
  ///
  /// @return whether a value may begin with the bytes so far
  boolean read(byte[] bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (!read(bytes[i])) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether a byte is white space.
  static boolean isBlank(byte c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private boolean read(byte c) {
    return switch (state) {
      case STRING -> inString(c);
      case VALUE -> isBlank(c) || beginsValue(c);
      case FIRST_ITEM -> isBlank(c) || c == ']' && close(/* object= */ false) || beginsValue(c);
      case FIRST_NAME -> isBlank(c) || c == '}' && close(/* object= */ true) || beginsName(c);
      case NAME -> isBlank(c) || beginsName(c);
      case COLON -> isBlank(c) || c == ':' && become(State.VALUE);
      case AFTER_VALUE -> isBlank(c) || endsValue(c);
      case ESCAPE -> escape(c);
      case HEXADECIMAL -> hexadecimal(c);
      case WORD ->
          c == word.charAt(count)
              && become(++count == word.length() ? State.AFTER_VALUE : State.WORD);
      case MINUS -> isDigit(c) && become(c == '0' ? State.ZERO : State.INTEGER);
      case ZERO -> afterInteger(c);
      case INTEGER -> isDigit(c) || afterInteger(c);
      case POINT -> isDigit(c) && become(State.FRACTION);
      case FRACTION -> isDigit(c) || isExponent(c) && become(State.EXPONENT) || endsNumber(c);
      case EXPONENT ->
          isDigit(c) && become(State.EXPONENT_DIGITS)
              || (c == '+' || c == '-') && become(State.EXPONENT_SIGN);
      case EXPONENT_SIGN -> isDigit(c) && become(State.EXPONENT_DIGITS);
      case EXPONENT_DIGITS -> isDigit(c) || endsNumber(c);
    };
  }

  private boolean become(State next) {
    state = next;
    return true;
  }

  private boolean beginsValue(byte c) {
    return switch (c) {
      case '{' -> open(/* object= */ true);
      case '[' -> open(/* object= */ false);
      case '"' -> {
        isName = false;
        yield become(State.STRING);
      }
      case 't' -> beginWord("true");
      case 'f' -> beginWord("false");
      case 'n' -> beginWord("null");
      case '-' -> become(State.MINUS);
      case '0' -> become(State.ZERO);
      default -> isDigit(c) && become(State.INTEGER);
    };
  }

  private boolean beginWord(String text) {
    word = text;
    count = 1;
    return become(State.WORD);
  }

  private boolean beginsName(byte c) {
    isName = true;
    return c == '"' && become(State.STRING);
  }

  private boolean open(boolean object) {
    if (depth == DEPTH_MAXIMUM) {
      return false;
    }
    isObject[depth++] = object;
    return become(object ? State.FIRST_NAME : State.FIRST_ITEM);
  }

  private boolean close(boolean object) {
    if (depth == 0 || isObject[depth - 1] != object) {
      return false;
    }
    depth--;
    return become(State.AFTER_VALUE);
  }

  private boolean endsValue(byte c) {
    return switch (c) {
      case ',' -> depth > 0 && become(isObject[depth - 1] ? State.NAME : State.VALUE);
      case ']' -> close(/* object= */ false);
      case '}' -> close(/* object= */ true);
      default -> false;
    };
  }

  private boolean inString(byte c) {
    if (isHalf && c != '\\') {
      return false;
    }
    return switch (c) {
      case '"' -> become(isName ? State.COLON : State.AFTER_VALUE);
      case '\\' -> become(State.ESCAPE);
      default -> c < 0 || c >= ' ';
    };
  }

  private boolean escape(byte c) {
    if (c == 'u') {
      count = 4;
      escaped = 0;
      return become(State.HEXADECIMAL);
    }
    return !isHalf && "\"\\/bfnrt".indexOf(c) >= 0 && become(State.STRING);
  }

  private boolean hexadecimal(byte c) {
    int digit = Character.digit(c, 16);
    escaped = escaped << 4 | digit;
    if (digit < 0 || --count > 0) {
      return digit >= 0;
    }
    char character = (char) escaped;
    boolean isSecondHalf = Character.isLowSurrogate(character);
    boolean fits = isHalf == isSecondHalf;
    isHalf = Character.isHighSurrogate(character);
    return fits && become(State.STRING);
  }

  private boolean afterInteger(byte c) {
    return c == '.' && become(State.POINT)
        || isExponent(c) && become(State.EXPONENT)
        || endsNumber(c);
  }

  private boolean endsNumber(byte c) {
    return isBlank(c) ? become(State.AFTER_VALUE) : endsValue(c);
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isExponent(byte c) {
    return c == 'e' || c == 'E';
  }
}
