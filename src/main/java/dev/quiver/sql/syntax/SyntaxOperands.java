package dev.quiver.sql.syntax;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The operands beside an operator of a condition or a statement, as far as they are certain: a
/// value, a name with those of the structs around it, or a call.
record SyntaxOperands(String sql, ConditionTokens tokens) {

  /// The number of characters of an operand that a hint repeats.
  private static final int LENGTH_MAXIMUM = 100;

  /// The tokens that may stand before a whole condition; the empty one is its start.
  private static final Set<String> BEFORE_CONDITION =
      Set.of(
          "", "(", ",", "WHERE", "AND", "OR", "NOT", "ON", "HAVING", "QUALIFY", "WHEN", "THEN",
          "ELSE", "SELECT", "BY", "FILTER");

  /// The tokens that may stand after a whole condition; the empty one is its end.
  private static final Set<String> AFTER_CONDITION =
      Set.of(
          "",
          ")",
          ",",
          ";",
          "AND",
          "OR",
          "WHEN",
          "THEN",
          "ELSE",
          "END",
          "AS",
          "FROM",
          "GROUP",
          "HAVING",
          "QUALIFY",
          "ORDER",
          "LIMIT",
          "OFFSET",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "USING");

  /// Returns the operand before a token if it begins a condition, or null if that is uncertain.
  @Nullable String before(int index) {
    int last = index - 1;
    int start = last;
    if (tokens.text(last).equals(")")) {
      start = open(last);
      if (start > 0 && isPart(start - 1)) {
        start--;
      }
    } else if (!isPart(last)) {
      return null;
    }
    while (start > 1 && tokens.text(start - 1).equals(".") && isPart(start - 2)) {
      start -= 2;
    }
    if (isSign(start - 1) && tokens.get(start).isNumber()) {
      start--;
    }
    return start >= 0 && BEFORE_CONDITION.contains(tokens.text(start - 1))
        ? between(start, last)
        : null;
  }

  /// Returns the operand that begins with a token if it ends a condition, or null if that is
  /// uncertain.
  @Nullable String from(int index) {
    int end = isSign(index) && tokens.get(index + 1).isNumber() ? index + 1 : index;
    if (!tokens.text(end).equals("(")) {
      if (!isPart(end)) {
        return null;
      }
      while (tokens.text(end + 1).equals(".") && isPart(end + 2)) {
        end += 2;
      }
      end += tokens.text(end + 1).equals("(") ? 1 : 0;
    }
    end = tokens.text(end).equals("(") ? close(end) : end;
    return end >= 0 && AFTER_CONDITION.contains(tokens.text(end + 1)) ? between(index, end) : null;
  }

  /// Returns the index of the parenthesis that one closes, or -1 if absent.
  int open(int close) {
    int depth = 0;
    for (int i = close; i >= 0; i--) {
      depth += nesting(i);
      if (depth >= 0) {
        return depth == 0 && i < close ? i : -1;
      }
    }
    return -1;
  }

  private int close(int open) {
    int depth = 0;
    for (int i = open; tokens.isAt(i); i++) {
      depth += nesting(i);
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private int nesting(int index) {
    return switch (tokens.written(index)) {
      case "(" -> 1;
      case ")" -> -1;
      default -> 0;
    };
  }

  /// Returns whether a token is a value, or a name or a part of it.
  private boolean isPart(int index) {
    return tokens.isName(index)
        || tokens.isAt(index)
            && (tokens.get(index).isQuotedName()
                || tokens.get(index).isNumber()
                || tokens.written(index).startsWith("'"));
  }

  private boolean isSign(int index) {
    return tokens.written(index).equals("-");
  }

  private @Nullable String between(int first, int last) {
    String operand = sql.substring(tokens.get(first).start(), tokens.get(last).end());
    return operand.length() > LENGTH_MAXIMUM ? null : operand;
  }
}
