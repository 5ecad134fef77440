package dev.quiver.sql.syntax;

import dev.quiver.arrow.memory.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The functions that statements may use. All others are rejected, also those that a later version
/// of the engine brings: its internal functions trust their caller to pass valid types.
///
/// The resource `functions.txt` has a line `type name: use` for each function of the engine. A line
/// that ends in ` row` has a function or operator of conditions as well: it is computed from the
/// values of a row, in time and memory that are proportional to them. The list is written by
/// `SqlFunctionsTest` with `-Dfunctions.write`, where new functions become `unknown` until a human
/// has judged them.
public final class SqlFunctions {

  /// Whether statements may use a function, and why not.
  enum Use {
    /// Its result is determined by its arguments.
    VALUES(""),
    /// Its result differs between calls.
    CHANGING(""),
    /// It stands for a dataset, and its rows are determined by its arguments.
    ROWS(""),
    /// Statements write it as an operator.
    OPERATOR("which statements write as an operator"),
    /// Statements write it as a collation.
    COLLATION("which statements write as COLLATE"),
    /// The engine calls it for its own plans, with types that its binder has checked.
    INTERNAL("which is internal to the engine"),
    /// It reads the engine's catalog, or resembles a function of PostgreSQL that does.
    CATALOG("which is about the engine's catalog"),
    /// It tells or changes the engine's state, settings or environment.
    ENGINE("which is about the engine's state"),
    /// It reads files or memory.
    FILES("which reads files"),
    /// It runs text or another table as SQL.
    SQL("which runs text as SQL"),
    /// It waits.
    WAITS("which waits"),
    /// It writes.
    WRITES("which writes");

    private final String reason;

    Use(String reason) {
      this.reason = reason;
    }

    boolean isCallable() {
      return this == VALUES || this == CHANGING;
    }
  }

  /// The functions whose second argument is the name of an aggregate.
  private static final Set<String> BY_NAME =
      Set.of("list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate");

  /// The names of the engine's own tables, which win over datasets.
  private static final Pattern RESERVED_TABLES =
      Pattern.compile("(duckdb|pg|pragma|sqlite)_[a-z_]*|__show_.*");

  /// Functions of values and operators, by names in lower case.
  private static final Map<String, Use> FUNCTIONS = new HashMap<>();

  /// Functions whose results are tables, by names in lower case.
  private static final Map<String, Use> TABLE_FUNCTIONS = new HashMap<>();

  /// The functions and operators of conditions, in lower case.
  private static final Set<String> ROW_FUNCTIONS = new HashSet<>();

  private static final String ROW = " row";

  /// Functions of several rows, by names in lower case.
  private static final Set<String> AGGREGATES = new HashSet<>();

  static {
    for (String line : lines()) {
      int space = line.indexOf(' ');
      int colon = line.lastIndexOf(": ");
      String name = line.substring(space + 1, colon).toLowerCase(Locale.ROOT);
      String judgement = line.substring(colon + 2);
      if (judgement.endsWith(ROW)) {
        ROW_FUNCTIONS.add(name);
        judgement = judgement.substring(0, judgement.length() - ROW.length());
      }
      Use use = Use.valueOf(judgement.toUpperCase(Locale.ROOT));
      if (Set.of("aggregate", "window").contains(line.substring(0, space))) {
        AGGREGATES.add(name);
      }
      boolean isTable = Set.of("table", "table_macro", "pragma").contains(line.substring(0, space));
      (isTable ? TABLE_FUNCTIONS : FUNCTIONS).put(name, use);
    }
  }

  private SqlFunctions() {}

  /// Returns the lines of the list.
  static Iterable<String> lines() {
    try (InputStream list = SqlFunctions.class.getResourceAsStream("functions.txt")) {
      byte[] bytes = Objects.requireNonNull(list).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns whether a name other than a dataset's may denote a table of the engine.
  ///
  /// @param name the name in lower case
  static boolean isReservedTable(String name) {
    return RESERVED_TABLES.matcher(name).matches();
  }

  /// Returns whether a statement may use a function of values, written as a call or as an operator.
  ///
  /// @param name the name in lower case
  static boolean isAllowed(String name, boolean asOperator) {
    Use use = FUNCTIONS.get(name);
    return use != null && (use.isCallable() || (use == Use.OPERATOR && asOperator));
  }

  /// Returns whether a condition may use a function of values.
  ///
  /// @param name the name in lower case
  static boolean isAllowedInCondition(String name, boolean asOperator) {
    return ROW_FUNCTIONS.contains(name) && isAllowed(name, asOperator);
  }

  /// Returns the functions of conditions.
  static Set<String> conditionFunctions() {
    return ROW_FUNCTIONS;
  }

  /// Returns whether a function may stand for a dataset.
  ///
  /// @param name the name in lower case
  static boolean isAllowedTable(String name) {
    return TABLE_FUNCTIONS.get(name) == Use.ROWS;
  }

  /// Returns whether the results of a function differ between calls.
  ///
  /// @param name the name in lower case
  static boolean isChanging(String name) {
    return FUNCTIONS.get(name) == Use.CHANGING;
  }

  /// Returns whether a function is computed from several rows.
  ///
  /// @param name the name in lower case
  static boolean isAggregate(String name) {
    return AGGREGATES.contains(name);
  }

  /// Returns whether the engine has a function of values.
  ///
  /// @param name the name in lower case
  public static boolean exists(String name) {
    return FUNCTIONS.containsKey(name);
  }

  /// Returns why a function of values is rejected, or the nearest one that is allowed, as the end
  /// of a sentence.
  ///
  /// @param name the name in lower case
  static String reason(String name) {
    Use use = FUNCTIONS.get(name);
    if (use != null) {
      return ", " + use.reason;
    }
    String near = OtherDialects.function(name) == null ? nearest(name) : null;
    return near == null ? "" : "; the nearest is " + near;
  }

  private static @Nullable String nearest(String name) {
    TreeSet<String> callable = new TreeSet<>();
    FUNCTIONS.forEach((candidate, use) -> {
      if (use.isCallable()) {
        callable.add(candidate);
      }
    });
    return NearestName.near(name, callable);
  }

  /// Returns what to do about a function of values that is rejected, or null if unknown.
  ///
  /// @param name the name in lower case
  static @Nullable String hint(String name) {
    Use use = FUNCTIONS.get(name);
    if (use == null) {
      return StatementHints.function(name, nearest(name));
    }
    return switch (use) {
      case OPERATOR -> "Write the operator between its operands";
      case COLLATION ->
          "Write COLLATE %s after the value".formatted(name.substring(name.indexOf('_') + 1));
      case CATALOG -> StatementHints.CATALOG;
      case FILES -> StatementHints.FILES;
      case SQL -> "Write the name of the dataset after FROM";
      case VALUES, CHANGING, ROWS, INTERNAL, ENGINE, WAITS, WRITES ->
          StatementHints.function(name, /* near= */ null);
    };
  }

  /// Returns what to do about a table function that is rejected, or null if unknown.
  ///
  /// @param name the name in lower case
  static @Nullable String tableHint(String name) {
    return name.startsWith("read_") || name.endsWith("_scan")
        ? StatementHints.FILES
        : name.startsWith("duckdb_") || TABLE_FUNCTIONS.get(name) == Use.CATALOG
            ? StatementHints.CATALOG
            : null;
  }

  /// Returns how the list judges a function of values, or null if it is not listed.
  static @Nullable Use use(String name) {
    return FUNCTIONS.get(name);
  }

  /// Returns whether the second argument of a function is the name of an aggregate.
  ///
  /// @param name the name in lower case
  static boolean takesAggregate(String name) {
    return BY_NAME.contains(name);
  }

  /// Returns the names of the table functions as a list for people.
  static String tableFunctions() {
    TreeSet<String> names = new TreeSet<>(TABLE_FUNCTIONS.keySet());
    names.removeIf(name -> !isAllowedTable(name));
    return String.join(", ", names);
  }
}
