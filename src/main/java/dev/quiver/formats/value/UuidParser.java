package dev.quiver.formats.value;

/// A parser of UUIDs: 32 hexadecimal digits, with hyphens after 8, 12, 16 and 20 of them or none
/// (RFC 9562, section 4). The value has the first digits in its lowest bytes.
public final class UuidParser extends ValueParser {

  private static final int DIGITS = 32;
  private static final int HYPHENS = 4;

  @Override
  public boolean parse(byte[] text, int start, int end) {
    boolean hyphens = end - start == DIGITS + HYPHENS;
    if (!hyphens && end - start != DIGITS) {
      return false;
    }
    long first = 0;
    long second = 0;
    int position = start;
    for (int i = 0; i < DIGITS; i++) {
      if (hyphens && (i == 8 || i == 12 || i == 16 || i == 20) && text[position++] != '-') {
        return false;
      }
      int digit = Character.digit(text[position++], 16);
      if (digit < 0) {
        return false;
      }
      if (i < DIGITS / 2) {
        first = first << 4 | digit;
      } else {
        second = second << 4 | digit;
      }
    }
    low = Long.reverseBytes(first);
    high = Long.reverseBytes(second);
    return true;
  }
}
