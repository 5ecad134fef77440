package dev.quiver.formats.value;

/// A parser of numbers whose digits may be in groups of thousands. Used by one thread.
public final class GroupedParser extends ValueParser {

  private final WrittenNumber number;
  private final ValueParser plain;

  /// @param point the decimal separator
  /// @param plain a parser of the same numbers without groups, of at most 64 bits
  public GroupedParser(char point, ValueParser plain) {
    this.number = new WrittenNumber(point);
    this.plain = plain;
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    if (number.read(text, start, end) < 0 || !plain.parse(number.plain, 0, number.length)) {
      return false;
    }
    low = plain.low();
    return true;
  }
}
