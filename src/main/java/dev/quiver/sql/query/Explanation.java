package dev.quiver.sql.query;

import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.syntax.SqlScanner;
import dev.quiver.sql.syntax.SqlScanner.Token;
import java.util.List;

/// A statement without the word `EXPLAIN` before it.
///
/// @param sql the rest, in which spaces take the place of the word, so that places stay
/// @param explains whether the plan is wanted instead of the result
record Explanation(String sql, boolean explains) {

  /// The text before a statement whose plan is wanted.
  static final String PREFIX = "EXPLAIN ";

  /// @throws Invalid if the word has options, one of which would run the statement
  static Explanation of(String sql) {
    List<Token> tokens = SqlScanner.tokens(sql, 2);
    if (tokens.isEmpty() || !tokens.getFirst().is("EXPLAIN")) {
      return new Explanation(sql, false);
    }
    Token word = tokens.getFirst();
    Token next = tokens.getLast();
    if (next.is("ANALYZE") || next.is("ANALYSE") || next.is("(")) {
      throw new Invalid(
          Reason.SQL_NOT_ALLOWED,
          "Expected a statement after EXPLAIN but found " + next.text(),
          sql,
          next.start(),
          next.text().length(),
          "Write EXPLAIN without options, which shows the plan and runs nothing");
    }
    String blank = " ".repeat(word.text().length());
    return new Explanation(
        sql.substring(0, word.start()) + blank + sql.substring(word.end()), true);
  }
}
