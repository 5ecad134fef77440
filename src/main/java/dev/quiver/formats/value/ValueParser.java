package dev.quiver.formats.value;

/// A parser of ASCII texts of one type, which gives values as the slots of an array have them. Used
/// by one thread.
public abstract class ValueParser {

  long low;
  long high;
  long third;
  long fourth;

  /// Parses a text without spaces around it.
  ///
  /// @param text bytes, of which those from `start` to `end` are parsed
  /// @return whether they are a value, which [#low] and [#high] return until the next call
  public abstract boolean parse(byte[] text, int start, int end);

  /// Returns the lowest 64 bits of the value.
  public final long low() {
    return low;
  }

  /// Returns the next 64 bits of a value of 128.
  public final long high() {
    return high;
  }

  /// Returns the third 64 bits of a value of 256.
  public final long third() {
    return third;
  }

  /// Returns the highest 64 bits of a value of 256.
  public final long fourth() {
    return fourth;
  }

  public static boolean isDigit(byte character) {
    return character >= '0' && character <= '9';
  }

  /// Returns whether a number begins with a plus, or with a zero before other digits, which it
  /// would lose as a number.
  static boolean hasSurplusStart(byte[] text, int start, int end) {
    if (start == end) {
      return false;
    }
    int first = text[start] == '-' ? start + 1 : start;
    return text[start] == '+' || end - first > 1 && text[first] == '0' && isDigit(text[first + 1]);
  }

  /// Returns whether a text is one of lower-case letters and digits, in any case.
  static boolean equalsIgnoringCase(byte[] text, int start, int end, String lowerCase) {
    if (end - start != lowerCase.length()) {
      return false;
    }
    for (int i = start; i < end; i++) {
      byte c = text[i];
      if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != lowerCase.charAt(i - start)) {
        return false;
      }
    }
    return true;
  }
}
