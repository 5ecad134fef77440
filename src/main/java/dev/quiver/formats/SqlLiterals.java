package dev.quiver.formats;

/// Text of clients as literals of SQL.
public final class SqlLiterals {

  private SqlLiterals() {}

  /// Returns a literal. Its only escape is the doubled quote.
  ///
  /// @throws ForeignDataException for the character 0, which would end the statement
  public static String literal(String value) {
    if (value.indexOf('\0') >= 0) {
      throw ForeignDataException.of("Expected text without the character 0 but found one with it");
    }
    return "'" + value.replace("'", "''") + "'";
  }

  /// Returns the name of a column. Its only escape is the doubled quote.
  public static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
