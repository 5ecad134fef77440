package dev.quiver.formats.value;

import dev.quiver.arrow.type.Precision;
import java.util.Arrays;

/// A parser of numbers with a percent sign: the double that is nearest to a hundredth of the
/// number. Used by one thread.
public final class PercentParser extends ValueParser {

  private static final byte[] HUNDREDTH = {'e', '-', '2'};

  private final FloatParser numbers;

  /// @param point the decimal separator
  public PercentParser(char point) {
    this.numbers = new FloatParser(Precision.DOUBLE, point, /* canonical= */ false);
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    int last = WrittenNumber.percentStart(text, start, end);
    if (last < 0 || !isDigit(text[last - 1])) {
      return false;
    }
    byte[] hundredth = Arrays.copyOfRange(text, start, last + HUNDREDTH.length);
    System.arraycopy(HUNDREDTH, 0, hundredth, last - start, HUNDREDTH.length);
    boolean isNumber = numbers.parse(hundredth, 0, hundredth.length) && numbers.isFinite();
    low = numbers.low();
    return isNumber;
  }
}
