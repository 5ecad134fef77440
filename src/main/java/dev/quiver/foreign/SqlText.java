package dev.quiver.foreign;

import java.util.Collection;
import java.util.stream.Collectors;

/// Text of clients as literals of SQL.
final class SqlText {

  private SqlText() {}

  /// Returns a literal. The engine knows no escapes in it but the doubled quote.
  ///
  /// @throws IllegalArgumentException for the character 0, which would end the statement
  static String literal(String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("Expected text without the character 0");
    }
    return "'" + value.replace("'", "''") + "'";
  }

  static String list(Collection<String> values) {
    return values.stream().map(SqlText::literal).collect(Collectors.joining(", ", "[", "]"));
  }
}
