package dev.quiver.sql.syntax;

import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;

/// A scan of a statement for brackets that are open at a time, before the engine parses it.
///
/// The engine's parser needs time and memory that grow with the square of unclosed parentheses:
/// gigabytes for some thousands. It rejects deeper expressions anyway, but only once they are
/// parsed. Other operators that nest, such as `NOT` and `-`, cost it little.
public final class Nesting {

  /// The maximum number of brackets that are open at a time, which is the engine's own limit on the
  /// depth of an expression.
  static final int DEPTH_MAXIMUM = 250;

  private Nesting() {}

  /// Checks the number of brackets that are open at a time in a statement or a condition.
  ///
  /// @throws Invalid at the first bracket beyond the maximum
  public static void check(String sql) {
    SqlScanner scanner = new SqlScanner(sql);
    int depth = 0;
    int position = 0;
    while (position < sql.length()) {
      switch (sql.charAt(position)) {
        case '(', '[', '{' -> {
          depth++;
          if (depth > DEPTH_MAXIMUM) {
            throw new Invalid(
                Reason.INVALID_SQL,
                "Expected at most %d brackets that are open at a time but found more"
                    .formatted(DEPTH_MAXIMUM),
                sql,
                position,
                1);
          }
          position++;
        }
        case ')', ']', '}' -> {
          depth = Math.max(0, depth - 1);
          position++;
        }
        default -> position = scanner.end(position);
      }
    }
  }
}
