package dev.quiver.sql.syntax;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// The names of datasets and columns as statements write them.
public final class SqlNames {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /// The keywords of the engine that are not names without quotes.
  private static final Set<String> RESERVED =
      Set.of(
          "ALL",
          "ANALYSE",
          "ANALYZE",
          "AND",
          "ANY",
          "ARRAY",
          "AS",
          "ASC",
          "ASYMMETRIC",
          "BOTH",
          "CASE",
          "CAST",
          "CHECK",
          "COLLATE",
          "COLUMN",
          "CONSTRAINT",
          "CREATE",
          "DEFAULT",
          "DEFERRABLE",
          "DESC",
          "DESCRIBE",
          "DISTINCT",
          "DO",
          "ELSE",
          "END",
          "EXCEPT",
          "FALSE",
          "FETCH",
          "FOR",
          "FOREIGN",
          "FROM",
          "GROUP",
          "HAVING",
          "IN",
          "INITIALLY",
          "INTERSECT",
          "INTO",
          "LAMBDA",
          "LATERAL",
          "LEADING",
          "LIMIT",
          "NOT",
          "NULL",
          "OFFSET",
          "ON",
          "ONLY",
          "OR",
          "ORDER",
          "PIVOT",
          "PLACING",
          "PRIMARY",
          "QUALIFY",
          "REFERENCES",
          "RETURNING",
          "SELECT",
          "SHOW",
          "SOME",
          "SUMMARIZE",
          "SYMMETRIC",
          "TABLE",
          "THEN",
          "TO",
          "TRAILING",
          "TRUE",
          "UNION",
          "UNIQUE",
          "UNPIVOT",
          "USING",
          "VARIADIC",
          "WHEN",
          "WHERE",
          "WINDOW",
          "WITH");

  private SqlNames() {}

  public static boolean isReserved(String word) {
    return RESERVED.contains(word.toUpperCase(Locale.ROOT));
  }

  /// Returns whether a name has letters, digits and `_` only, and does not begin with a digit.
  public static boolean isPlain(String name) {
    return PLAIN.matcher(name).matches();
  }

  /// Returns a name in double quotes.
  public static String quoted(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  /// Returns a name as a statement writes it, in double quotes if it needs them.
  public static String written(String name) {
    return isPlain(name) && !isReserved(name) ? name : quoted(name);
  }

  /// Returns a text as a literal.
  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
