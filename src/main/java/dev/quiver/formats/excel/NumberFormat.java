package dev.quiver.formats.excel;

import java.util.Locale;

/// The meaning that the format of a cell gives its number (ECMA-376, part 1, §18.8.30 and
/// §18.8.31).
enum NumberFormat {
  NUMBER,
  DATE,
  /// A time of day, without a date.
  TIME,
  TIMESTAMP,
  /// The same with a `Z` at its end, which stands for UTC.
  UTC_TIMESTAMP,
  /// Hours, minutes or seconds beyond a day.
  DURATION;

  private static final String GENERAL = "general";

  /// The time before and after noon, as formats have it.
  private static final String[] HALVES_OF_DAY = {"am/pm", "a/p", "上午/下午"};

  /// Returns the meaning that the code of a format gives a number.
  static NumberFormat ofCode(String code) {
    return new Code(code).format();
  }

  /// Returns the meaning of a format of Excel itself, whose code is not in the file. From 27 on are
  /// those of Chinese, Japanese, Korean and Thai.
  static NumberFormat ofId(int id) {
    return switch (id) {
      case 14, 15, 16, 17 -> DATE;
      case 18, 19, 20, 21, 45, 47 -> TIME;
      case 22 -> TIMESTAMP;
      case 46 -> DURATION;
      case 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58, 71, 72, 73, 74, 81 -> DATE;
      case 32, 33, 34, 35, 55, 56, 75, 76, 78, 80 -> TIME;
      case 77 -> TIMESTAMP;
      case 79 -> DURATION;
      default -> NUMBER;
    };
  }

  /// The letters of the first section of a code, which is for positive numbers.
  private static final class Code {

    private final String code;
    private int position;
    private boolean hasDay;
    private boolean hasTime;
    private boolean hasElapsedTime;

    /// Whether there is an `m`, which is a minute beside other parts of a time, and else a month.
    private boolean hasMonthOrMinute;

    Code(String code) {
      this.code = code.toLowerCase(Locale.ROOT);
    }

    NumberFormat format() {
      while (position < code.length() && code.charAt(position) != ';') {
        read();
      }
      hasDay |= hasMonthOrMinute && !hasTime && !hasElapsedTime;
      if (hasDay) {
        boolean isTimestamp = hasTime || hasElapsedTime;
        return !isTimestamp ? DATE : endsInZ() ? UTC_TIMESTAMP : TIMESTAMP;
      }
      return hasElapsedTime ? DURATION : hasTime ? TIME : NUMBER;
    }

    private boolean endsInZ() {
      String section = code.substring(0, Math.min(position, code.length())).stripTrailing();
      return section.endsWith("\"z\"") || section.endsWith("\\z");
    }

    private void read() {
      if (code.startsWith(GENERAL, position)) {
        position += GENERAL.length();
        return;
      }
      for (String halves : HALVES_OF_DAY) {
        if (code.startsWith(halves, position)) {
          hasTime = true;
          position += halves.length();
          return;
        }
      }
      switch (code.charAt(position)) {
        case '"' -> skipTo('"');
        // The next character is shown as it is, is as wide as the space here, or fills the cell.
        case '\\', '_', '*' -> position++;
        case '[' -> readBracket();
        case 'y', 'd', 'g' -> hasDay = true;
        // Eras of Japan, and years of Thailand; an exponent follows a digit.
        case 'e', 'b' -> hasDay |= position == 0 || "0#?.".indexOf(code.charAt(position - 1)) < 0;
        case 'a' -> hasDay |= code.startsWith("aaa", position);
        case 'm' -> hasMonthOrMinute = true;
        case 'h', 's' -> hasTime = true;
        default -> {}
      }
      position++;
    }

    private void skipTo(char end) {
      position++;
      while (position < code.length() && code.charAt(position) != end) {
        position++;
      }
    }

    /// Reads a color, a condition, a locale, or a part of an elapsed time such as `[h]`.
    private void readBracket() {
      int start = position + 1;
      skipTo(']');
      String content = code.substring(start, Math.min(position, code.length()));
      hasElapsedTime |= content.matches("h+|m+|s+");
    }
  }
}
