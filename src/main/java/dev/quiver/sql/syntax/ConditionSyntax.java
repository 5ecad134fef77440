package dev.quiver.sql.syntax;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Hints about the syntax of conditions: lists that are compared, and what the engine's parser
/// rejects.
record ConditionSyntax(String condition, ConditionTokens tokens, ConditionColumns columns) {

  private static final Set<String> CLAUSES =
      Set.of("ORDER", "SORT", "LIMIT", "OFFSET", "GROUP", "HAVING", "UNION", "QUALIFY", "USING");

  /// Returns a hint about texts that are joined where `||` was meant as OR, or null if unknown.
  ///
  /// @param message of the engine about the types or the values of the operands
  @Nullable String or(String message) {
    boolean isLikely =
        message.startsWith("Chained comparisons")
            || message.contains("to BOOL")
            || message.contains("true' to ")
            || message.contains("false' to ");
    return isLikely && condition.contains("||") ? SharedHints.OR : null;
  }

  /// Returns a hint about `= ANY` with a column of lists, or null if absent.
  @Nullable String any() {
    for (int i = 2; i < tokens.count(); i++) {
      boolean isAny = tokens.text(i).equals("ANY") || tokens.text(i).equals("SOME");
      if (isAny
          && tokens.text(i - 1).equals("=")
          && tokens.text(i + 1).equals("(")
          && columns.isList(tokens.get(i + 2).name())
          && tokens.text(i + 3).equals(")")) {
        return contains(tokens.written(i + 2), operands().before(i - 1));
      }
    }
    return null;
  }

  /// Returns a hint about a column of lists that is compared with a value, or null if absent.
  @Nullable String list() {
    for (int i = 1; i + 1 < tokens.count(); i++) {
      if (!tokens.text(i).equals("=")) {
        continue;
      }
      if (columns.isList(tokens.get(i - 1).name())) {
        return contains(tokens.written(i - 1), operands().from(i + 1));
      }
      if (columns.isList(tokens.get(i + 1).name())) {
        return contains(tokens.written(i + 1), operands().before(i));
      }
    }
    return null;
  }

  private SyntaxOperands operands() {
    return new SyntaxOperands(condition, tokens);
  }

  private static String contains(String list, @Nullable String value) {
    return "Write list_contains(%s, %s).".formatted(list, value == null ? "value" : value);
  }

  /// Returns a hint about an error of the parser, or null if unknown.
  ///
  /// @param index of the token where the parser stopped
  @Nullable String syntax(String message, int index) {
    if (message.contains("nterminated")) {
      return SharedHints.QUOTES;
    }
    if (message.startsWith("Zero-length")) {
      return "Name a column without a name by its position, such as C0 for the first one.";
    }
    if (!message.startsWith("Syntax error")) {
      return null;
    }
    String found = tokens.text(index);
    String before = tokens.text(index - 1);
    if (index == 0 && found.equals("WHERE")) {
      return "Leave the word WHERE out.";
    }
    if (index == 0 && (found.equals("SELECT") || found.equals("FROM"))) {
      return "Send a whole statement to /sql.";
    }
    String clause =
        CLAUSES.contains(found)
            ? "Send only the condition: offset and limit are parameters, and /sql sorts and groups."
            : null;
    return ConditionHints.first(
        () -> tokens.text(index + 1).equals("BY") ? clause : null,
        () -> tokens.isAt(index) ? columns.quotedName(condition, tokens.get(index).start()) : null,
        () -> new OtherCalls(condition, tokens).infix(index),
        () -> nearRun(index),
        () -> clause,
        () -> before.equals("IS") ? "Write = in place of IS before a value." : null,
        () -> comma(index),
        this::incomplete,
        this::parentheses);
  }

  /// Returns a hint about words around the place of an error that nearly are the name of a column.
  private @Nullable String nearRun(int index) {
    int from = index;
    while (from > 0
        && tokens.get(from - 1).isWord()
        && !SqlNames.isReserved(tokens.text(from - 1))) {
      from--;
    }
    if (from == index || !tokens.isAt(index) || !tokens.get(index).isWord()) {
      return null;
    }
    String run = condition.substring(tokens.get(from).start(), tokens.get(index).end());
    String near = columns.near(run);
    return near == null ? null : SharedHints.inPlaceOf(near, run);
  }

  private @Nullable String comma(int index) {
    if (!tokens.text(index).equals(",") || !tokens.isAt(index + 1)) {
      return null;
    }
    if (tokens.text(index - 2).equals("BETWEEN")) {
      return "Write BETWEEN %s AND %s."
          .formatted(tokens.written(index - 1), tokens.written(index + 1));
    }
    boolean isNumber = tokens.get(index - 1).isNumber() && tokens.get(index + 1).isNumber();
    return isNumber
        ? "Write numbers without separators, such as %s%s."
            .formatted(tokens.written(index - 1), tokens.written(index + 1))
        : null;
  }

  private @Nullable String incomplete() {
    String last = tokens.text(tokens.count() - 1);
    boolean isOpen =
        "=<>+-*/%(,".contains(last)
            || Set.of("AND", "OR", "NOT", "IN", "LIKE", "ILIKE", "BETWEEN", "IS").contains(last);
    return isOpen
        ? "Complete the condition after %s.".formatted(tokens.written(tokens.count() - 1))
        : null;
  }

  private @Nullable String parentheses() {
    long open = tokens.tokens().stream().filter(token -> token.is("(")).count();
    long closed = tokens.tokens().stream().filter(token -> token.is(")")).count();
    return open == closed
        ? null
        : open > closed
            ? "Close the parenthesis that is open."
            : "Open a parenthesis, or remove ).";
  }
}
