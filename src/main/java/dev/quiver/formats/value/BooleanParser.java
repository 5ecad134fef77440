package dev.quiver.formats.value;

import java.util.List;

/// A parser of booleans in any case.
public final class BooleanParser extends ValueParser {

  private static final List<String> TRUE = List.of("true", "t", "yes", "y", "1");
  private static final List<String> FALSE = List.of("false", "f", "no", "n", "0");

  private final List<String> trueTexts;
  private final List<String> falseTexts;

  /// @param canonical whether only `true` and `false` are booleans
  public BooleanParser(boolean canonical) {
    this.trueTexts = canonical ? TRUE.subList(0, 1) : TRUE;
    this.falseTexts = canonical ? FALSE.subList(0, 1) : FALSE;
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    low = isOne(trueTexts, text, start, end) ? 1 : 0;
    return low == 1 || isOne(falseTexts, text, start, end);
  }

  private static boolean isOne(List<String> words, byte[] text, int start, int end) {
    for (int i = 0; i < words.size(); i++) {
      if (equalsIgnoringCase(text, start, end, words.get(i))) {
        return true;
      }
    }
    return false;
  }
}
