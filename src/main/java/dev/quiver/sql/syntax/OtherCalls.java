package dev.quiver.sql.syntax;

import dev.quiver.sql.syntax.SqlScanner.Token;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Hints about operators, lambdas and calls that other databases, or earlier versions of the
/// engine, write differently, by the tokens of the statement.
record OtherCalls(String sql, ConditionTokens tokens) {

  private static final String LAMBDA = "Write lambda x: x + 1 in place of x -> x + 1";

  /// The number of characters of a statement that a hint repeats.
  private static final int LENGTH_MAXIMUM = 100;

  private static final Set<String> PATTERNS = Set.of("LIKE", "ILIKE", "GLOB");

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

  /// Functions, by words that stand between a column and a text.
  private static final Map<String, String> INFIXES =
      Map.ofEntries(
          Map.entry("CONTAINS", "contains"),
          Map.entry("INCLUDES", "contains"),
          Map.entry("HAS", "contains"),
          Map.entry("STARTS", "starts_with"),
          Map.entry("STARTSWITH", "starts_with"),
          Map.entry("STARTS_WITH", "starts_with"),
          Map.entry("BEGINS", "starts_with"),
          Map.entry("ENDS", "ends_with"),
          Map.entry("ENDSWITH", "ends_with"),
          Map.entry("ENDS_WITH", "ends_with"),
          Map.entry("MATCHES", "regexp_matches"),
          Map.entry("REGEXP", "regexp_matches"),
          Map.entry("RLIKE", "regexp_matches"));

  static OtherCalls of(String sql) {
    return new OtherCalls(sql, ConditionTokens.of(sql));
  }

  /// Returns a hint about comparisons without a word between them.
  String comparisons() {
    if (hasPair("&")) {
      return SharedHints.AND;
    }
    return hasPair("|") ? SharedHints.OR : SharedHints.COMPARISONS;
  }

  /// Returns whether a word stands between a column and a text in other languages.
  static boolean isInfix(String word) {
    return INFIXES.containsKey(word);
  }

  /// Returns a hint about an operator of another language.
  ///
  /// @param from the index of the first token that is looked at
  /// @param to the index after the last one
  @Nullable String operator(int from, int to) {
    for (int i = Math.max(0, from); i < Math.min(to, tokens.count()); i++) {
      boolean isPair = tokens.isAt(i + 1) && tokens.get(i).end() == tokens.get(i + 1).start();
      String next = isPair ? tokens.written(i + 1) : "";
      String hint =
          switch (tokens.text(i)) {
            case "&" -> SharedHints.inPlaceOf("AND", next.equals("&") ? "&&" : "&");
            case "|" ->
                next.equals("|") || tokens.text(i - 1).equals("|")
                    ? null
                    : SharedHints.inPlaceOf("OR", "|");
            case "!" -> "=~".contains(next) && isPair ? null : SharedHints.inPlaceOf("NOT", "!");
            case "=" ->
                switch (next) {
                  case "~" -> "Write regexp_matches(column, 'pattern').";
                  case "<", ">" -> "Write %s= in place of =%1$s.".formatted(next);
                  default -> null;
                };
            case "XOR" -> "Write <> between two conditions in parentheses.";
            case "MOD" ->
                tokens.isAt(i + 1) && tokens.text(i + 1).equals("(")
                    ? null
                    : SharedHints.inPlaceOf("%", "mod");
            default -> null;
          };
      if (hint != null) {
        return hint;
      }
    }
    return null;
  }

  /// Returns a hint about a word of another language between a column and a text, or null if
  /// absent.
  @Nullable String infix(int index) {
    String function = INFIXES.get(tokens.text(index));
    if (function == null || index == 0 || !tokens.isAt(index + 1)) {
      return null;
    }
    boolean isNegated = tokens.text(index - 1).equals("NOT");
    boolean hasWith = tokens.text(index + 1).equals("WITH") && tokens.isAt(index + 2);
    SyntaxOperands operands = new SyntaxOperands(sql, tokens);
    String left = operands.before(isNegated ? index - 1 : index);
    String right = operands.from(hasWith ? index + 2 : index + 1);
    return "Write %s%s(%s, %s)."
        .formatted(
            isNegated ? "NOT " : "",
            function,
            left == null ? "x" : left,
            right == null ? "'text'" : right);
  }

  /// Returns a hint about a text in the marks of a word processor, or null if absent.
  @Nullable String typographic(int index) {
    boolean isMark = tokens.isAt(index) && "‘’“”„«".indexOf(tokens.written(index).charAt(0)) >= 0;
    return isMark
        ? "Write text in straight single quotes, such as %s."
            .formatted(SqlNames.literal(tokens.written(index).replaceAll("[‘’“”„«»]", "")))
        : null;
  }

  /// Returns whether a name stands where a text is likely rather than a column.
  ///
  /// @param before the characters of which one may stand before it, besides words such as `LIKE`
  boolean isCompared(int index, String before) {
    String token = tokens.text(index - 1);
    return !token.isEmpty() && (before.contains(token) || PATTERNS.contains(token));
  }

  /// Returns a hint about a list that is the only value after `IN`, or null if absent.
  @Nullable String listParameter() {
    for (int i = 1; i < tokens.count(); i++) {
      int end = tokens.text(i + 2).equals("?") ? i + 3 : tokens.text(i + 2).equals("$") ? i + 4 : 0;
      if (tokens.text(i).equals("IN") && tokens.text(i + 1).equals("(") && isAt(end, ")")) {
        String list = sql.substring(tokens.get(i + 2).start(), tokens.get(end - 1).end());
        return tokens.text(i - 1).equals("NOT")
            ? "Write <> ALL(%s) in place of NOT IN (%1$s), since the parameter is a list."
                .formatted(list)
            : "Write = ANY(%s) in place of IN (%1$s), since the parameter is a list."
                .formatted(list);
      }
    }
    return null;
  }

  private boolean isAt(int index, String text) {
    return index > 0 && tokens.text(index).equals(text);
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
    return "Write %s(x AS %s) in place of %s, or strftime(x, '%%Y-%%m') for a part of a date"
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

  private int open(int close) {
    return new SyntaxOperands(sql, tokens).open(close);
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
        : "Write lambda %s: %s in place of %s -> %s"
            .formatted(names.replaceAll("[()]", ""), body, names, body);
  }
}
