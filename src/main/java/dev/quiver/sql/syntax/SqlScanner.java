package dev.quiver.sql.syntax;

import java.util.ArrayList;
import java.util.List;

/// A scan of a statement for its tokens, without the engine.
///
/// It knows the tokens of the engine that may hide others: quoted texts and names, comments, and
/// the characters before the first `$` of a text. It takes time that grows with the length of the
/// statement.
public final class SqlScanner {

  /// The first character beyond ASCII. The engine takes all from there on for letters, except the
  /// spaces.
  private static final char NON_ASCII = '\u0080';

  private final String sql;

  public SqlScanner(String sql) {
    this.sql = sql;
  }

  /// A part of a statement that is neither a space nor a comment.
  ///
  /// @param text as it is written, with its quotes
  /// @param start the offset in characters
  public record Token(String text, int start) {

    public int end() {
      return start + text.length();
    }

    /// Returns whether this is a keyword, in any case.
    public boolean is(String keyword) {
      return text.equalsIgnoreCase(keyword);
    }

    /// Returns whether this is a name without quotes, or a keyword.
    public boolean isWord() {
      return !text.isEmpty() && isLetter(text.charAt(0));
    }

    public boolean isNumber() {
      return !text.isEmpty() && isDigit(text.charAt(0));
    }

    /// Returns whether this is a name in double quotes.
    public boolean isQuotedName() {
      return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    }

    /// Returns the name that this token stands for, without its quotes.
    public String name() {
      return isQuotedName() ? text.substring(1, text.length() - 1).replace("\"\"", "\"") : text;
    }
  }

  /// Returns the first tokens of a statement.
  ///
  /// @param maximum the number of tokens at which to stop
  public static List<Token> tokens(String sql, int maximum) {
    SqlScanner scanner = new SqlScanner(sql);
    List<Token> tokens = new ArrayList<>();
    int position = 0;
    while (position < sql.length() && tokens.size() < maximum) {
      int end = scanner.end(position);
      char first = sql.charAt(position);
      boolean isComment = sql.startsWith("--", position) || sql.startsWith("/*", position);
      if (!isComment && !Character.isWhitespace(first) && !isSpace(first)) {
        tokens.add(new Token(sql.substring(position, end), position));
      }
      position = end;
    }
    return tokens;
  }

  /// Returns the end of the token at a position: a quoted text or name, a comment, a name, a
  /// number, or one other character.
  public int end(int position) {
    char first = sql.charAt(position);
    if (first == '\'' || first == '"' || first == '`') {
      return quotedEnd(position, /* escapes= */ false);
    }
    if (sql.startsWith("--", position)) {
      return lineEnd(position);
    }
    if (sql.startsWith("/*", position)) {
      return commentEnd(position);
    }
    if (first == '$') {
      return dollarEnd(position);
    }
    if (isDigit(first)) {
      return numberEnd(position);
    }
    if ((first == 'e' || first == 'E') && sql.startsWith("'", position + 1)) {
      return quotedEnd(position + 1, /* escapes= */ true);
    }
    return isLetter(first) || isControl(first) ? nameEnd(position) : position + 1;
  }

  /// @param escapes whether a backslash escapes the next character
  private int quotedEnd(int start, boolean escapes) {
    char quote = sql.charAt(start);
    int position = start + 1;
    while (position < sql.length()) {
      char character = sql.charAt(position);
      if (escapes && character == '\\') {
        position += 2;
      } else if (character != quote) {
        position++;
      } else if (position + 1 < sql.length() && sql.charAt(position + 1) == quote) {
        position += 2;
      } else {
        return position + 1;
      }
    }
    return sql.length();
  }

  private int lineEnd(int start) {
    int position = start;
    while (position < sql.length()
        && sql.charAt(position) != '\n'
        && sql.charAt(position) != '\r') {
      position++;
    }
    return position;
  }

  /// Comments nest.
  private int commentEnd(int start) {
    int depth = 0;
    int position = start;
    do {
      if (sql.startsWith("/*", position)) {
        depth++;
        position += 2;
      } else if (sql.startsWith("*/", position)) {
        depth--;
        position += 2;
      } else {
        position++;
      }
    } while (depth > 0 && position < sql.length());
    return position;
  }

  /// Returns the end of a text such as `$$a$$` or `$tag$a$tag$`, or of the sign of a parameter.
  private int dollarEnd(int start) {
    int tagEnd = start + 1;
    if (tagEnd < sql.length() && isLetter(sql.charAt(tagEnd))) {
      while (tagEnd < sql.length()
          && (isLetter(sql.charAt(tagEnd)) || isDigit(sql.charAt(tagEnd)))) {
        tagEnd++;
      }
    }
    if (!sql.startsWith("$", tagEnd)) {
      return start + 1;
    }
    String tag = sql.substring(start, tagEnd + 1);
    int end = sql.indexOf(tag, tagEnd + 1);
    return end < 0 ? sql.length() : end + tag.length();
  }

  /// Returns the end of a number, so that its exponent is not the start of a name.
  private int numberEnd(int start) {
    int position = digitsEnd(start);
    if (sql.startsWith(".", position)) {
      position = digitsEnd(position + 1);
    }
    if (position < sql.length() && Character.toLowerCase(sql.charAt(position)) == 'e') {
      int sign = position + 1;
      if (sql.startsWith("+", sign) || sql.startsWith("-", sign)) {
        sign++;
      }
      int end = digitsEnd(sign);
      return end > sign ? end : position;
    }
    return position;
  }

  private int digitsEnd(int start) {
    int position = start;
    while (position < sql.length()
        && (isDigit(sql.charAt(position))
            || sql.charAt(position) == '_'
                && position > start
                && isDigit(sql.charAt(position - 1))
                && position + 1 < sql.length()
                && isDigit(sql.charAt(position + 1)))) {
      position++;
    }
    return position;
  }

  /// Returns the end of a name, which may contain `$`.
  private int nameEnd(int start) {
    int position = start;
    while (position < sql.length()
        && (isLetter(sql.charAt(position))
            || isControl(sql.charAt(position))
            || isDigit(sql.charAt(position))
            || sql.charAt(position) == '$')) {
      position++;
    }
    return position;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  /// Returns whether a name, or the tag of a text, may begin with a character.
  private static boolean isLetter(char character) {
    return character >= 'a' && character <= 'z'
        || character >= 'A' && character <= 'Z'
        || character == '_'
        || character >= NON_ASCII && !isSpace(character);
  }

  /// Returns whether a character is a control character, which the engine takes for a letter.
  private static boolean isControl(char character) {
    return Character.isISOControl(character) && !Character.isWhitespace(character)
        || character >= '\u001C' && character <= '\u001F';
  }

  /// Returns whether the engine takes a character beyond ASCII for a space.
  private static boolean isSpace(char character) {
    return character == '\u00A0'
        || character >= '\u2000' && character <= '\u200B'
        || character == '\u202F'
        || character == '\u205F'
        || character == '\u2060'
        || character == '\u3000'
        || character == '\uFEFF';
  }
}
