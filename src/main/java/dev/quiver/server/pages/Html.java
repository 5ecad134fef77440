package dev.quiver.server.pages;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// Text, numbers and times as HTML.
///
/// The pages are text blocks filled with values from [#escape]. A template engine would be a
/// dependency for a few pages. It would also let through invisible characters that reverse the
/// direction of the text around them.
public final class Html {

  private Html() {}

  /// Returns `text` escaped so that it is safe even within a quoted attribute.
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(codePoint -> append(escaped, codePoint));
    return escaped.toString();
  }

  /// Returns a number such as `1,234,567`.
  public static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /// Returns a time such as `2024-02-29 12:00:00 UTC`.
  public static String seconds(Instant at) {
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

  /// Returns whether a code point is an unpaired surrogate, or an invisible character such as one
  /// that changes the direction of the text around it.
  private static boolean isInvisible(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.SURROGATE || type == Character.FORMAT;
  }
}
