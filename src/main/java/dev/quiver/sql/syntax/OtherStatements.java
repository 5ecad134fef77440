package dev.quiver.sql.syntax;

import dev.quiver.sql.syntax.SqlScanner.Token;
import dev.quiver.store.version.DatasetName;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Hints about statements that are not a SELECT. Writes are requests of their own, and the rest is
/// needless here.
public final class OtherStatements {

  /// The words after the first one of a statement that say how, not what it writes.
  private static final Set<String> MODIFIERS =
      Set.of(
          "OR",
          "REPLACE",
          "TEMP",
          "TEMPORARY",
          "LOCAL",
          "GLOBAL",
          "UNLOGGED",
          "EXTERNAL",
          "RECURSIVE",
          "MATERIALIZED",
          "OVERWRITE",
          "IGNORE");

  /// The words before a table or a view.
  private static final Set<String> BEFORE_TABLE = Set.of("INTO", "FROM", "TABLE", "VIEW");

  /// The words between those and the name.
  private static final Set<String> BEFORE_NAME = Set.of("TABLE", "ONLY", "IF", "NOT", "EXISTS");

  /// The statements that also create, change or delete what is not a table.
  private static final Set<String> OF_ALL_KINDS = Set.of("CREATE", "DROP", "ALTER");

  /// The stand-in for the name of a dataset.
  private static final String ANY_NAME = "{name}";

  /// The tokens of a statement that are looked at.
  private static final int TOKENS_MAXIMUM = 200;

  private static final String REWRITE =
      "Store the changed rows by a PUT of a SELECT, as Content-Type: application/sql, to /datasets/%s";

  private OtherStatements() {}

  /// Returns what to do instead.
  public static String hint(String sql) {
    List<Token> tokens = SqlScanner.tokens(sql, TOKENS_MAXIMUM);
    String first = tokens.isEmpty() ? "" : tokens.getFirst().text().toUpperCase(Locale.ROOT);
    String name = name(new ConditionTokens(tokens));
    return switch (first) {
      case "INSERT", "REPLACE" ->
          "Append rows by a POST of a file, or of a SELECT as Content-Type: application/sql, to /datasets/"
              + name;
      case "UPDATE", "MERGE", "ALTER" -> REWRITE.formatted(name);
      case "DELETE" ->
          tokens.stream().anyMatch(token -> token.is("WHERE"))
              ? REWRITE.replace("changed", "remaining").formatted(name)
              : emptied(name);
      case "TRUNCATE" -> emptied(name);
      case "DROP" -> "Send DELETE to /datasets/" + name;
      case "CREATE" ->
          "Store a result by a PUT of its SELECT, as Content-Type: application/sql, to /datasets/"
              + name;
      case "COPY", "EXPORT", "IMPORT" ->
          "Get a result as a file by sending its SELECT to /sql.csv, /sql.parquet or /sql.xlsx, and upload a file by a PUT to /datasets/{name}.csv";
      case "ATTACH", "DETACH" -> "Upload the tables as datasets by PUT to /datasets/{name}";
      case "USE" -> "Leave it out, and name datasets without a database or schema";
      case "SET", "RESET", "INSTALL", "LOAD", "FORCE" ->
          tokens.stream().anyMatch(token -> token.is("TIMEZONE") || token.is("ZONE"))
              ? "Leave it out, since the zone is UTC, and write column AT TIME ZONE 'Europe/Berlin'"
              : "Leave it out, since the settings and extensions of the engine are fixed";
      case "PRAGMA" ->
          tokens.size() > 3 && tokens.get(1).is("table_info")
              ? "Write DESCRIBE " + SqlNames.written(described(tokens.get(3)))
              : "Write SHOW TABLES or DESCRIBE with the name of a dataset, or leave it out, since settings are fixed";
      case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT" ->
          "Leave it out, since a statement reads one fixed version of each dataset";
      case "PREPARE", "EXECUTE", "DEALLOCATE" ->
          "Send the SELECT with values for $1 or $name, as p.1=value in the URL or as parameters in JSON";
      case "CALL" -> "Write SELECT * FROM in place of CALL";
      case "VACUUM", "ANALYZE", "CHECKPOINT" ->
          "Leave it out, since the service compacts datasets and keeps their statistics by itself";
      default -> {
        String pivot = pivot(tokens);
        yield pivot == null
            ? "Write one SELECT, SHOW TABLES, DESCRIBE, SUMMARIZE or EXPLAIN"
            : pivot;
      }
    };
  }

  /// Returns the name of a table in the quotes of a name or a text, or without.
  private static String described(Token token) {
    String text = token.text();
    return text.length() > 1 && text.startsWith("'")
        ? text.substring(1, text.length() - 1).replace("''", "'")
        : token.name();
  }

  /// Returns a hint about a PIVOT whose columns depend on the rows, or null if absent.
  private static @Nullable String pivot(List<Token> tokens) {
    String source = "";
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).is("PIVOT")) {
        source = tokens.get(i + 1).text();
      }
      if (!source.isEmpty() && tokens.get(i).is("ON")) {
        return "Write the values that become columns, as in PIVOT … ON %s IN ('a', 'b'); SELECT DISTINCT %1$s FROM %s lists them"
            .formatted(tokens.get(i + 1).text(), source.equals("(") ? "(…)" : source);
      }
    }
    return null;
  }

  /// Returns how to remove all rows of a dataset.
  private static String emptied(String name) {
    return "A PUT of SELECT * FROM %s LIMIT 0, as Content-Type: application/sql, to /datasets/%s empties it, and a DELETE removes it with all its versions"
        .formatted(name.equals(ANY_NAME) ? name : SqlNames.written(name), name);
  }

  /// Returns the name of the written dataset, or a stand-in if it is not one.
  private static String name(ConditionTokens tokens) {
    int index = 1;
    while (MODIFIERS.contains(tokens.text(index))) {
      index++;
    }
    if (BEFORE_TABLE.contains(tokens.text(index))) {
      index++;
    } else if (OF_ALL_KINDS.contains(tokens.text(0))) {
      return ANY_NAME;
    }
    while (BEFORE_NAME.contains(tokens.text(index))) {
      index++;
    }
    if (tokens.text(index).equals("MEMORY")
        && tokens.text(index + 1).equals(".")
        && tokens.text(index + 2).equals("MAIN")) {
      index += 2;
    }
    if (tokens.text(index).equals("MAIN") && tokens.text(index + 1).equals(".")) {
      index += 2;
    }
    String name = tokens.get(index).name();
    return isValid(name) && isWhole(tokens, index) ? name : ANY_NAME;
  }

  /// Returns whether a name ends with its token, unlike those with a dot, a hyphen or a version.
  private static boolean isWhole(ConditionTokens tokens, int index) {
    return !".-@".contains(tokens.written(index + 1)) || !tokens.isAt(index + 1);
  }

  private static boolean isValid(String name) {
    try {
      DatasetName.parseNew(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
