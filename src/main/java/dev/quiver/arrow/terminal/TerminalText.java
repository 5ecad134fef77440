package dev.quiver.arrow.terminal;

import java.lang.Character.UnicodeBlock;
import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text on a terminal: without what would control it, and with the columns that it takes.
///
/// The width of a character is that of Unicode Standard Annex #11, from the properties that the
/// runtime of Java has: a table of a library would be of another version of Unicode than the
/// clusters of [Pattern]. A cluster of an emoji takes two columns, as terminals that know clusters
/// show it.
final class TerminalText {

  static final String ELLIPSIS = "…";

  private static final Pattern CLUSTER = Pattern.compile("\\X");
  private static final int EMOJI_VARIATION = 0xFE0F;
  private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
  private static final int ZERO_WIDTH_JOINER = 0x200D;
  private static final int FIRST_VISIBLE = ' ';
  private static final int LAST_ASCII = '~';

  /// The first character that is wider than others.
  private static final int FIRST_WIDE = 0x1100;

  private static final Set<UnicodeScript> WIDE_SCRIPTS =
      EnumSet.of(
          UnicodeScript.HAN,
          UnicodeScript.HANGUL,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.YI,
          UnicodeScript.TANGUT,
          UnicodeScript.NUSHU,
          UnicodeScript.KHITAN_SMALL_SCRIPT);

  /// The blocks of wide characters of no script.
  private static final Set<UnicodeBlock> WIDE_BLOCKS =
      Set.of(
          UnicodeBlock.CJK_SYMBOLS_AND_PUNCTUATION,
          UnicodeBlock.CJK_STROKES,
          UnicodeBlock.CJK_COMPATIBILITY,
          UnicodeBlock.CJK_COMPATIBILITY_FORMS,
          UnicodeBlock.ENCLOSED_CJK_LETTERS_AND_MONTHS,
          UnicodeBlock.ENCLOSED_IDEOGRAPHIC_SUPPLEMENT,
          UnicodeBlock.IDEOGRAPHIC_DESCRIPTION_CHARACTERS,
          UnicodeBlock.KANBUN,
          UnicodeBlock.HIRAGANA,
          UnicodeBlock.KATAKANA,
          UnicodeBlock.SMALL_FORM_VARIANTS,
          UnicodeBlock.VERTICAL_FORMS,
          UnicodeBlock.YIJING_HEXAGRAM_SYMBOLS,
          UnicodeBlock.TAI_XUAN_JING_SYMBOLS,
          UnicodeBlock.COUNTING_ROD_NUMERALS);

  private TerminalText() {}

  /// Returns a text in one line, with an escape for each character that is not displayed, or that
  /// would change the direction or the colour of others.
  static String escaped(String text) {
    if (text.chars().allMatch(TerminalText::isPlainAscii)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder();
    text.codePoints().forEach(character -> append(escaped, character));
    return escaped.toString();
  }

  private static boolean isPlainAscii(int character) {
    return character >= FIRST_VISIBLE && character <= LAST_ASCII;
  }

  private static void append(StringBuilder escaped, int character) {
    switch (character) {
      case '\n' -> escaped.append("\\n");
      case '\r' -> escaped.append("\\r");
      case '\t' -> escaped.append("\\t");
      case ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER -> escaped.appendCodePoint(character);
      default -> {
        switch (Character.getType(character)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SURROGATE,
              Character.UNASSIGNED ->
              escaped.append("\\u{%X}".formatted(character));
          default -> escaped.appendCodePoint(character);
        }
      }
    }
  }

  /// Returns the columns that an escaped text takes.
  static int width(String text) {
    if (text.chars().allMatch(TerminalText::isPlainAscii)) {
      return text.length();
    }
    int width = 0;
    Matcher clusters = CLUSTER.matcher(text);
    while (clusters.find()) {
      width += clusterWidth(clusters.group());
    }
    return width;
  }

  /// Returns an escaped text, cut to a number of columns and with an ellipsis if it takes more.
  ///
  /// @param maximum at least 1
  static String cut(String text, int maximum) {
    if (width(text) <= maximum) {
      return text;
    }
    int width = 0;
    int end = 0;
    Matcher clusters = CLUSTER.matcher(text);
    while (clusters.find()) {
      width += clusterWidth(clusters.group());
      if (width >= maximum) {
        break;
      }
      end = clusters.end();
    }
    return text.substring(0, end) + ELLIPSIS;
  }

  private static int clusterWidth(String cluster) {
    int first = cluster.codePointAt(0);
    boolean isSingle = cluster.length() == Character.charCount(first);
    if (isSingle) {
      return isRegionalIndicator(first) ? 1 : width(first);
    }
    if (isRegionalIndicator(first)) {
      return 2;
    }
    if (Character.isEmoji(first) && cluster.indexOf(EMOJI_VARIATION) > 0) {
      return 2;
    }
    return Character.isExtendedPictographic(first)
        ? width(first)
        : cluster.codePoints().map(TerminalText::width).sum();
  }

  /// Returns the columns of a character alone.
  static int width(int character) {
    int type = Character.getType(character);
    boolean isMark =
        type == Character.NON_SPACING_MARK
            || type == Character.ENCLOSING_MARK
            || type == Character.FORMAT;
    if (isMark || isFollowingJamo(character)) {
      return 0;
    }
    return character >= FIRST_WIDE && isWide(character) ? 2 : 1;
  }

  /// Returns whether a character is a vowel or a final consonant of Hangul, which the letter before
  /// it has room for.
  private static boolean isFollowingJamo(int character) {
    return character >= 0x1160 && character <= 0x11FF || character >= 0xD7B0 && character <= 0xD7FF;
  }

  private static boolean isWide(int character) {
    UnicodeBlock block = UnicodeBlock.of(character);
    if (block == UnicodeBlock.HALFWIDTH_AND_FULLWIDTH_FORMS) {
      // FF61 to FFDC and FFE8 to FFEE are halfwidth.
      return character <= 0xFF60 || character >= 0xFFE0 && character <= 0xFFE6;
    }
    if (Character.isEmojiPresentation(character)) {
      return !isRegionalIndicator(character);
    }
    // Numbers in circles and an ideographic space of half the width are in blocks of wide ones.
    boolean isNarrow = character == 0x303F || character >= 0x3248 && character <= 0x324F;
    boolean isBracket = character == 0x2329 || character == 0x232A;
    return isBracket
        || !isNarrow
            && (block != null && WIDE_BLOCKS.contains(block)
                || WIDE_SCRIPTS.contains(UnicodeScript.of(character)));
  }

  private static boolean isRegionalIndicator(int character) {
    return character >= 0x1F1E6 && character <= 0x1F1FF;
  }
}
