package dev.quiver.web.representation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// Text, numbers and times as HTML.
///
/// The pages are text blocks, filled with values that [#escape] made harmless. A template engine
/// would be a dependency for a few pages, and would let invisible characters pass that turn the
/// direction of the text around them.
public final class Html {

  private Html() {}

  /// `text` such that it is nothing but text, also within a quoted attribute.
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(codePoint -> append(escaped, codePoint));
    return escaped.toString();
  }

  /// `1,234,567`.
  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /// `2024-02-29 12:00:00 UTC`.
  static String seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString().replace("T", " ").replace("Z", " UTC");
  }

  private static void append(StringBuilder escaped, int codePoint) {
    switch (codePoint) {
      case '&' -> escaped.append("&amp;");
      case '<' -> escaped.append("&lt;");
      case '>' -> escaped.append("&gt;");
      case '"' -> escaped.append("&quot;");
      case '\'' -> escaped.append("&#39;");
      default -> {
        boolean hidden = Character.isISOControl(codePoint) || isInvisible(codePoint);
        escaped.appendCodePoint(hidden && codePoint != '\n' ? '\uFFFD' : codePoint);
      }
    }
  }

  /// Surrogates that stand alone, and what turns the direction of the text around it.
  private static boolean isInvisible(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.SURROGATE || type == Character.FORMAT;
  }
}
