package dev.quiver.sql.syntax;

import dev.quiver.sql.syntax.SqlScanner.Token;
import java.util.List;
import java.util.Locale;

/// The tokens of a condition or a statement, of which those beyond the ends are empty.
record ConditionTokens(List<Token> tokens) {

  /// The number of tokens that are looked at.
  private static final int COUNT_MAXIMUM = 1_000;

  static ConditionTokens of(String condition) {
    return new ConditionTokens(SqlScanner.tokens(condition, COUNT_MAXIMUM));
  }

  int count() {
    return tokens.size();
  }

  boolean isAt(int index) {
    return index >= 0 && index < tokens.size();
  }

  Token get(int index) {
    return isAt(index) ? tokens.get(index) : new Token("", 0);
  }

  /// Returns a token as it is written.
  String written(int index) {
    return get(index).text();
  }

  /// Returns a token in upper case.
  String text(int index) {
    return written(index).toUpperCase(Locale.ROOT);
  }

  /// Returns whether a token is a name without quotes that is not reserved.
  boolean isName(int index) {
    return isAt(index) && get(index).isWord() && !SqlNames.isReserved(written(index));
  }

  /// Returns the index of the token at a position, or of the one after it.
  int indexAt(int position) {
    return position < 0
        ? tokens.size()
        : (int) tokens.stream().filter(token -> token.end() <= position).count();
  }
}
