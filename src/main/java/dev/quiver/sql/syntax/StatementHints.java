package dev.quiver.sql.syntax;

import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Hints about statements that were rejected. A hint names nothing that the principal of the
/// statement may not read: it repeats the statement itself, datasets that the principal may read
/// and their columns, or SQL.
public final class StatementHints {

  public static final String TWO_STATEMENTS = "Send each statement in a request of its own";

  public static final String NO_STATEMENT = "Write a statement, such as SHOW TABLES";

  /// The hint about a function or table of the engine's catalog.
  public static final String CATALOG =
      "SHOW TABLES, DESCRIBE and information_schema.columns describe the datasets";

  /// The hint about a function that reads files.
  public static final String FILES =
      "Upload the file by a PUT to /datasets/{name}, and select from {name}";

  /// The hint about a name without a near one.
  private static final String LIST = "SHOW TABLES lists the datasets";

  /// Names of files: with a folder or a scheme, or with a suffix of a usual format.
  private static final Pattern FILE =
      Pattern.compile(
          ".*/.*|.*\\.(?:parquet|csv|tsv|txt|json|jsonl|ndjson|arrow|arrows|feather|xlsx|gz|zst|db|duckdb)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final Pattern DATABASE =
      Pattern.compile(".*\\.(?:db|duckdb)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private StatementHints() {}

  /// Returns a failure with a hint, if there is one and the failure has none.
  public static Invalid of(Invalid failure, String sql, ReadableNames names) {
    if (failure.hint() != null || failure.reason() != Reason.INVALID_SQL) {
      return failure;
    }
    String message = failure.getMessage();
    String hint = BindingHints.hint(message, sql, failure.position(), names);
    if (hint == null) {
      hint = SyntaxHints.hint(message, sql, failure.position(), names);
    }
    Invalid hinted =
        new Invalid(
            failure.reason(),
            BindingHints.withoutCandidates(message),
            sql,
            failure.position(),
            failure.length(),
            hint);
    hinted.setStackTrace(failure.getStackTrace());
    return hinted;
  }

  /// Returns a failure with a hint about a list as a parameter, or about a text in the statement
  /// that does not convert, if there is one.
  public static SqlException.Value of(SqlException.Value failure, String sql) {
    String message = failure.getMessage();
    boolean hasList = message.contains("[]");
    String hint = hasList ? OtherCalls.of(sql).listParameter() : null;
    ValueMistake mistake =
        hint == null && failure.hint() == null
            ? ValueMistake.of(message, ConditionTokens.of(sql), _ -> null)
            : null;
    if (hint == null && mistake == null) {
      return failure;
    }
    SqlException.Value hinted =
        mistake == null ? new SqlException.Value(message, hint) : mistake.explained(message, sql);
    hinted.setStackTrace(failure.getStackTrace());
    return hinted;
  }

  /// Returns a hint about a name that is not a dataset.
  ///
  /// @param near the nearest dataset that the principal may read, or null
  public static String dataset(String name, @Nullable String near, ReadableNames names) {
    if (FILE.matcher(name).matches()) {
      String file = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
      String stem = file.contains(".") ? file.substring(0, file.indexOf('.')) : file;
      if (names.isDataset(stem)) {
        return "Write FROM " + SqlNames.written(stem);
      }
      return DATABASE.matcher(name).matches()
          ? "Export its tables as Parquet, and upload those by a PUT to /datasets/{name}.parquet"
          : "Upload the file by a PUT to /datasets/%s, and write its name without the suffix"
              .formatted(file.matches("[A-Za-z0-9][A-Za-z0-9._-]*") ? file : "{name}.csv");
    }
    if (name.equalsIgnoreCase("dual")) {
      return "Leave FROM out";
    }
    return near == null
        ? LIST
        : SharedHints.inPlaceOf(SqlNames.written(near), SqlNames.written(name));
  }

  /// Returns a hint about a function that the engine lacks or that statements may not use, or null
  /// if unknown.
  ///
  /// @param name the name in lower case
  /// @param near the nearest function that statements may use, or null
  public static @Nullable String function(String name, @Nullable String near) {
    String other = OtherDialects.function(name);
    String instead = other == null ? near : other;
    return instead == null ? null : SharedHints.inPlaceOf(instead, name);
  }
}
