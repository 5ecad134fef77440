package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Positions in a statement, and the sentences of the engine.
public final class SqlText {

  private static final int EXCERPT_LENGTH = 80;

  /// Advice on settings, which clients cannot change.
  private static final Pattern ADVICE =
      Pattern.compile("\\s*Use \"(?:SET|PRAGMA) [^\"]*\"[^.]*\\.?");

  private SqlText() {}

  /// Returns the number of characters (UTF-16 code units) in the first bytes of a text.
  ///
  /// @param bytes the number of bytes of UTF-8, or -1
  /// @return -1 for -1
  public static int characters(String sql, int bytes) {
    if (bytes < 0) {
      return -1;
    }
    byte[] encoded = sql.getBytes(StandardCharsets.UTF_8);
    return new String(encoded, 0, Math.min(bytes, encoded.length), StandardCharsets.UTF_8).length();
  }

  /// Returns the number of the line at a position, from 1.
  public static int line(String sql, int position) {
    return 1
        + (int) sql.substring(0, position).chars().filter(character -> character == '\n').count();
  }

  /// Returns the part of a line around a position.
  public static String excerpt(String sql, int position) {
    int lineStart = sql.lastIndexOf('\n', position - 1) + 1;
    int start = Math.max(lineStart, position - EXCERPT_LENGTH / 2);
    // Half a surrogate pair has no UTF-8 encoding.
    if (start > lineStart && Character.isLowSurrogate(sql.charAt(start))) {
      start++;
    }
    int lineEnd = sql.indexOf('\n', position);
    String rest = sql.substring(start, lineEnd < 0 ? sql.length() : lineEnd);
    return (start > lineStart ? "…" : "") + Excerpt.of(rest.stripTrailing(), EXCERPT_LENGTH);
  }

  /// Returns a message of the engine as a sentence: its first paragraph, without the name of the
  /// error's kind, and without advice on settings.
  public static String sentence(String message) {
    String first = message.split("\n\n|\nLINE ", 2)[0].strip();
    String text = ADVICE.matcher(first.replaceFirst("^[A-Z][A-Za-z ]* Error: ", "")).replaceAll("");
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
