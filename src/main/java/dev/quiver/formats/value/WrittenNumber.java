package dev.quiver.formats.value;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A number as people write it: with a percent sign, or with digits in groups of thousands. Used by
/// one thread.
final class WrittenNumber {

  /// The characters between groups, but for the one that is not the decimal separator.
  private static final String[] SEPARATORS = {" ", "\u00A0", "\u202F", "'", "\u2019"};

  private static final int GROUP_DIGITS = 3;

  private final byte point;
  private final byte[][] separators = new byte[SEPARATORS.length + 1][];

  /// The plain number that was read last.
  byte[] plain = {};

  int length;

  /// Whether that has a fraction.
  boolean hasFraction;

  /// @param point the decimal separator
  WrittenNumber(char point) {
    this.point = (byte) point;
    for (int i = 0; i < SEPARATORS.length; i++) {
      separators[i] = SEPARATORS[i].getBytes(StandardCharsets.UTF_8);
    }
    separators[SEPARATORS.length] = new byte[] {(byte) (point == '.' ? ',' : '.')};
  }

  /// Reads a number whose digits may be in groups: three digits each, but for the first, and one
  /// separator between them.
  ///
  /// @return the number of separators, or -1 if the text is no such number
  int read(byte[] text, int start, int end) {
    if (plain.length < end - start) {
      plain = new byte[end - start];
    }
    length = 0;
    hasFraction = false;
    int next = start;
    if (next < end && text[next] == '-') {
      plain[length++] = text[next++];
    }
    // A zero before a group is that of a fraction.
    boolean isZero = next + 1 < end && text[next] == '0' && text[next + 1] != point;
    int groups = 0;
    int digits = 0;
    byte @Nullable [] separator = null;
    while (next < end) {
      if (ValueParser.isDigit(text[next])) {
        plain[length++] = text[next++];
        digits++;
        continue;
      }
      if (text[next] == point) {
        break;
      }
      byte @Nullable [] found = separator == null ? separator(text, next, end) : separator;
      if (found == null
          || !startsWith(text, next, end, found)
          || digits == 0
          || isZero
          || (groups == 0 ? digits > GROUP_DIGITS : digits != GROUP_DIGITS)) {
        return -1;
      }
      separator = found;
      next += found.length;
      groups++;
      digits = 0;
    }
    if (digits == 0 || groups > 0 && digits != GROUP_DIGITS) {
      return -1;
    }
    if (next < end) {
      hasFraction = true;
      plain[length++] = text[next++];
      int first = next;
      while (next < end && ValueParser.isDigit(text[next])) {
        plain[length++] = text[next++];
      }
      if (next == first || next < end) {
        return -1;
      }
    }
    return groups;
  }

  private byte @Nullable [] separator(byte[] text, int start, int end) {
    for (byte[] separator : separators) {
      if (startsWith(text, start, end, separator)) {
        return separator;
      }
    }
    return null;
  }

  private static boolean startsWith(byte[] text, int start, int end, byte[] prefix) {
    if (end - start < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (text[start + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  /// Returns the end of a number before a percent sign, which a space may precede, or -1 if there
  /// is no such sign.
  static int percentStart(byte[] text, int start, int end) {
    if (end - start < 2 || text[end - 1] != '%') {
      return -1;
    }
    int last = end - 1;
    if (text[last - 1] == ' ') {
      return last - 1;
    }
    if (last - start > 2 && text[last - 2] == (byte) 0xC2 && text[last - 1] == (byte) 0xA0) {
      return last - 2;
    }
    return last - start > 3
            && text[last - 3] == (byte) 0xE2
            && text[last - 2] == (byte) 0x80
            && text[last - 1] == (byte) 0xAF
        ? last - 3
        : last;
  }
}
