package dev.quiver.arrow.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A token of the parameter `columns` as a path.
///
/// ```text
/// Tokens → Token (',' Token)*
/// Token  → Step ('.' Step)*
/// Step   → '"' (any character, a quote twice)* '"'      a name
///        | '[' digits ']'                               a position, from 0
///        | characters other than '.' and ','            a name
/// ```
///
/// @param token the text
/// @param steps at least one
record ColumnToken(String token, List<Step> steps) {

  private static final Pattern POSITION = Pattern.compile("\\[(\\d{1,9})]");

  /// A name that is a step without quotes.
  private static final Pattern PLAIN = Pattern.compile("[^.,\"\\[]+");

  /// A field among its siblings.
  sealed interface Step {
    record Name(String name) implements Step {}

    record Position(int index) implements Step {}
  }

  /// Returns a name as a step of a token, in quotes if it needs them.
  static String quoted(String name) {
    return PLAIN.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  /// Returns the tokens of a comma-separated list. A comma in quotes does not separate.
  static List<String> tokens(String list) {
    List<String> tokens = new ArrayList<>();
    int start = 0;
    boolean stepStart = true;
    for (int i = 0; i < list.length(); i++) {
      char character = list.charAt(i);
      if (stepStart && character == '"') {
        i = afterQuotes(list, i) - 1;
      } else if (character == ',') {
        tokens.add(list.substring(start, i));
        start = i + 1;
      }
      stepStart = character == '.' || character == ',';
    }
    tokens.add(list.substring(start));
    return tokens;
  }

  /// @throws InvalidColumnsException if the token does not match the grammar
  static ColumnToken of(String token) {
    List<Step> steps = new ArrayList<>();
    int start = 0;
    while (start <= token.length()) {
      boolean quoted = start < token.length() && token.charAt(start) == '"';
      int end = quoted ? afterQuotes(token, start) : indexOfDot(token, start);
      String text = token.substring(start, end);
      steps.add(quoted ? quotedName(text, token) : step(text, token));
      if (end < token.length() && token.charAt(end) != '.') {
        String found = "\"" + token.substring(end) + "\"";
        throw new InvalidColumnsException("a dot after " + text, found, token);
      }
      start = end + 1;
    }
    return new ColumnToken(token, List.copyOf(steps));
  }

  private static Step.Name quotedName(String text, String token) {
    if (text.length() < 2 || !text.endsWith("\"")) {
      throw new InvalidColumnsException("a quote after " + text, "none", token);
    }
    return new Step.Name(text.substring(1, text.length() - 1).replace("\"\"", "\""));
  }

  private static Step step(String text, String token) {
    if (text.isEmpty()) {
      throw new InvalidColumnsException("a name", "none", token);
    }
    var position = POSITION.matcher(text);
    return position.matches()
        ? new Step.Position(Integer.parseInt(position.group(1)))
        : new Step.Name(text);
  }

  private static int indexOfDot(String text, int start) {
    int dot = text.indexOf('.', start);
    return dot < 0 ? text.length() : dot;
  }

  /// Returns the position after the closing quote of the name that opens at `start`, or the end of
  /// the text if the quote is not closed.
  private static int afterQuotes(String text, int start) {
    int quote = text.indexOf('"', start + 1);
    while (quote >= 0 && quote + 1 < text.length() && text.charAt(quote + 1) == '"') {
      quote = text.indexOf('"', quote + 2);
    }
    return quote < 0 ? text.length() : quote + 1;
  }
}
