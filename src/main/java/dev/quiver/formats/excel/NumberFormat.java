package dev.quiver.formats.excel;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The meaning that the format of a cell gives its number (ECMA-376, part 1, §18.8.30 and
/// §18.8.31).
enum NumberFormat {
  NUMBER,
  DATE,
  /// A time of day, without a date.
  TIME,
  TIMESTAMP,
  /// Hours, minutes or seconds beyond a day.
  DURATION;

  private static final String GENERAL = "general";

  /// The time before and after noon, as formats have it.
  private static final String[] HALVES_OF_DAY = {"am/pm", "a/p", "上午/下午"};

  /// Returns the meaning that a format gives a number.
  ///
  /// @param id that of a format of Excel itself, which need not have a code; null if unknown
  /// @param code of the format, or null
  static NumberFormat of(@Nullable Integer id, @Nullable String code) {
    if (code != null) {
      return new Code(code).format();
    }
    return id == null ? NUMBER : ofEastAsia(id);
  }

  /// Returns what the formats do that have no code, since it depends on the language of Excel:
  /// those of Chinese, Japanese, Korean and Thai.
  private static NumberFormat ofEastAsia(int id) {
    return switch (id) {
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
        return hasTime || hasElapsedTime ? TIMESTAMP : DATE;
      }
      return hasElapsedTime ? DURATION : hasTime ? TIME : NUMBER;
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
