package dev.quiver.sql.syntax;

import dev.quiver.sql.syntax.SqlScanner.Token;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Hints about operators, lambdas and calls that other databases, or earlier versions of the
/// engine, write differently, by the tokens of the statement.
record OtherCalls(String sql, ConditionTokens tokens) {

  static final String AND = "Write AND instead of &&";

  private static final String LAMBDA = "Write lambda x: x + 1 instead of x -> x + 1";

  /// The number of characters of a statement that a hint repeats.
  private static final int LENGTH_MAXIMUM = 100;

  private static final Set<String> TRUNCATIONS =
      Set.of("DATE_TRUNC", "DATETRUNC", "TIMESTAMP_TRUNC", "DATETIME_TRUNC", "TRUNC");

  private static final Set<String> UNITS =
      Set.of(
          "YEAR",
          "QUARTER",
          "MONTH",
          "WEEK",
          "ISOWEEK",
          "DAY",
          "HOUR",
          "MINUTE",
          "SECOND",
          "MILLISECOND",
          "MICROSECOND");

  static OtherCalls of(String sql) {
    return new OtherCalls(sql, ConditionTokens.of(sql));
  }

  /// Returns a hint about comparisons without a word between them.
  String comparisons() {
    if (hasPair("&")) {
      return AND;
    }
    return hasPair("|")
        ? "Write OR instead of ||, which joins texts"
        : "Join two comparisons by AND, such as 1 < x AND x < 3";
  }

  private boolean hasPair(String operator) {
    for (int i = 0; i < tokens.count(); i++) {
      if (isPair(i, operator, operator)) {
        return true;
      }
    }
    return false;
  }

  private boolean isPair(int index, String first, String second) {
    return tokens.text(index).equals(first)
        && tokens.text(index + 1).equals(second)
        && tokens.get(index).end() == tokens.get(index + 1).start();
  }

  /// Returns a hint about `CONVERT` with a type such as `VARCHAR(7)` before its value, or null if
  /// absent.
  ///
  /// @param position of the comma after the type, where the parser stops
  @Nullable String convert(int position) {
    int comma = tokens.indexAt(position);
    int open = open(comma - 1);
    if (!tokens.text(comma).equals(",") || !tokens.text(comma - 1).equals(")") || open < 1) {
      return null;
    }
    String function = tokens.text(open - 3);
    if (!tokens.text(open - 2).equals("(") || !function.endsWith("CONVERT")) {
      return null;
    }
    String type = sql.substring(tokens.get(open - 1).start(), tokens.get(comma - 1).end());
    return "Write %s(x AS %s) instead of %s, or strftime(x, '%%Y-%%m') for a part of a date"
        .formatted(function.startsWith("TRY") ? "TRY_CAST" : "CAST", type, function);
  }

  /// Returns a hint about a part of a date that stands after the date, or null if absent.
  ///
  /// @param position of the part, or -1 if unknown
  @Nullable String truncation(int position) {
    int unit = tokens.indexAt(position);
    if (!UNITS.contains(tokens.text(unit))
        || !tokens.text(unit + 1).equals(")")
        || !tokens.text(unit - 1).equals(",")) {
      return null;
    }
    int open = open(unit + 1);
    if (open < 1 || !TRUNCATIONS.contains(tokens.text(open - 1))) {
      return null;
    }
    String date = sql.substring(tokens.get(open + 1).start(), tokens.get(unit - 2).end());
    return "Write date_trunc('%s', %s), with the part of the date first"
        .formatted(
            tokens.text(unit).toLowerCase(Locale.ROOT).replace("iso", ""),
            date.length() > LENGTH_MAXIMUM ? "x" : date);
  }

  /// Returns the index of the parenthesis that one closes, or -1 if absent.
  private int open(int close) {
    int depth = 0;
    for (int i = close; i >= 0; i--) {
      depth += tokens.text(i).equals(")") ? 1 : tokens.text(i).equals("(") ? -1 : 0;
      if (depth <= 0) {
        return depth == 0 && i < close ? i : -1;
      }
    }
    return -1;
  }

  /// Returns a hint about a lambda with an arrow.
  String lambda() {
    for (int i = 1; i < tokens.count(); i++) {
      int start = tokens.text(i - 1).equals(")") ? open(i - 1) : i - 1;
      // An arrow before a text or a number extracts from JSON.
      Token first = tokens.get(i + 2);
      if (isPair(i, "-", ">")
          && tokens.text(start - 1).equals(",")
          && tokens.isAt(i + 2)
          && !first.text().startsWith("'")
          && !first.isNumber()) {
        return lambda(start, i);
      }
    }
    return LAMBDA;
  }

  private String lambda(int start, int arrow) {
    int end = arrow + 2;
    int depth = 0;
    while (tokens.isAt(end)) {
      String token = tokens.text(end);
      if (depth == 0 && (token.equals(",") || token.equals(")"))) {
        break;
      }
      depth += "([{".contains(token) ? 1 : ")]}".contains(token) ? -1 : 0;
      end++;
    }
    String names = sql.substring(tokens.get(start).start(), tokens.get(arrow - 1).end());
    String body = sql.substring(tokens.get(arrow + 2).start(), tokens.get(end - 1).end());
    return names.length() + body.length() > LENGTH_MAXIMUM
        ? LAMBDA
        : "Write lambda %s: %s instead of %s -> %s"
            .formatted(names.replaceAll("[()]", ""), body, names, body);
  }
}
