package dev.quiver.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.TestWorkers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Allowed functions with arguments of forty types, in a worker.
///
/// A call is first bound without rows. If it binds, it runs over 2,049 rows, which are more than
/// one vector: with columns, with a column beside a constant, and in rows that are null. The result
/// of each row has to be that of constants. A call may fail, but neither lose its worker nor cause
/// an internal error.
///
/// `-Dfunctions.report=FILE` tries all calls of one argument, and `functions.percent` of those of
/// more. It appends a line for each function, with the number of its calls by their outcomes, and
/// continues with the functions that the file lacks. `function-calls.txt` is such a report.
@Tag("long")
@Tag("random")
class FunctionFuzzTest {

  private static final String UNION = "union_value(n := 3)";

  /// A value of each type.
  private static final List<String> VALUES =
      List.of(
          "true",
          "(-7)::TINYINT",
          "300::SMALLINT",
          "3::INTEGER",
          "5000000000::BIGINT",
          "7::HUGEINT",
          "200::UTINYINT",
          "60000::USMALLINT",
          "4::UINTEGER",
          "9::UBIGINT",
          "2::UHUGEINT",
          "1.5::FLOAT",
          "0.25::DOUBLE",
          "12.34::DECIMAL(4,2)",
          "12345678901234567890.123::DECIMAL(38,3)",
          "'a longer text than is inlined'",
          "'year'",
          "'{\"a\": [1, 2]}'::JSON",
          "'\\x00\\xFFab'::BLOB",
          "'0101100'::BIT",
          "DATE '2024-02-29'",
          "TIME '12:34:56.789'",
          "'12:34:56+02'::TIMETZ",
          "TIMESTAMP '2024-02-29 12:34:56'",
          "'2024-02-29 12:34:56'::TIMESTAMP_S",
          "'2024-02-29 12:34:56.789'::TIMESTAMP_MS",
          "'2024-02-29 12:34:56.789'::TIMESTAMP_NS",
          "'2024-02-29 12:34:56+00'::TIMESTAMPTZ",
          "INTERVAL '1 month 2 days'",
          "'7f4a2c1e-0000-4000-8000-000000000001'::UUID",
          "'b'::ENUM('a', 'b')",
          "[1, 2, NULL]::INTEGER[]",
          "['a', 'b']",
          "[[1], [2, 3]]",
          "[1.5, 2.5, 3.5]::FLOAT[3]",
          "[[1, 2], [3, 4]]::INTEGER[2][2]",
          "{'a': 1, 'b': 'x'}",
          "MAP {'k': 1, 'l': 2}",
          UNION,
          "NULL");

  private static final String LAMBDA = "lambda x: x";

  private static final int ROWS = 2049;

  /// Each seed has the functions of its own remainder. `-Plong` runs the first one, and the nightly
  /// run ten of them.
  private static final int SEEDS = 50;

  private static final int SHARE_PERCENT = 10;

  /// Functions whose results depend on more than the values of their arguments: approximations, a
  /// random sample, the text of the argument, or the other rows.
  private static final Set<String> INEXACT =
      Set.of(
          "alias",
          "approx_count_distinct",
          "approx_quantile",
          "approx_top_k",
          "fill",
          "list_approx_count_distinct",
          "reservoir_quantile");

  /// Functions of the engine whose result for a union as a column is null instead of false. They
  /// read nothing but their values.
  private static final Set<String> WRONG_FOR_UNIONS =
      Set.of("array_contains", "array_has", "contains", "list_contains", "list_has");

  /// Functions of the engine whose result is zero instead of null for a null that is rounded to
  /// more places than the decimal has. They read nothing but their values.
  private static final Set<String> ROUNDING =
      Set.of("round", "round_even", "roundbankers", "trunc");

  private static TestWorkers workers;

  private final List<String> findings = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();

  @BeforeAll
  static void start() {
    workers = new TestWorkers();
  }

  @AfterAll
  static void end() {
    workers.close();
  }

  private record Function(String name, String type, int most) {}

  private static List<Function> functions() throws IOException {
    Map<String, Function> functions = new TreeMap<>();
    for (List<@Nullable Object> row :
        workers.rows(
            "SELECT lower(function_name), min(function_type), max(len(parameters))::INTEGER"
                + " FROM duckdb_functions()"
                + " WHERE function_type IN ('scalar', 'aggregate', 'window', 'macro') GROUP BY 1")) {
      String name = String.valueOf(row.get(0));
      int most = Integer.parseInt(String.valueOf(row.get(2)));
      if (SqlFunctions.isAllowed(name, /* asOperator= */ true)) {
        functions.put(name, new Function(name, String.valueOf(row.get(1)), most));
      }
    }
    assertThat(functions).hasSizeGreaterThan(500);
    return List.copyOf(functions.values());
  }

  /// Returns a call, written as a statement of a client would have it.
  ///
  /// @return the call, or an empty text if an operator does not have that many operands
  private static String call(Function function, List<String> arguments) {
    String name = function.name();
    if (name.matches("[a-z_0-9]+")) {
      // Some names are keywords.
      boolean quotes = !Set.of("if", "map", "row").contains(name);
      String call = (quotes ? "\"" + name + "\"" : name) + "(" + String.join(", ", arguments) + ")";
      return function.type().equals("window") ? call + " OVER ()" : call;
    }
    return switch (arguments.size()) {
      case 1 -> "(" + name + "(" + arguments.getFirst() + "))";
      case 2 -> "((" + arguments.get(0) + ") OPERATOR(" + name + ") (" + arguments.get(1) + "))";
      default -> "";
    };
  }

  /// Runs a statement, and returns its outcome.
  private String outcome(String sql) throws IOException {
    try {
      List<List<@Nullable Object>> rows = workers.rows(sql);
      return rows.isEmpty() || Boolean.TRUE.equals(rows.getFirst().getFirst()) ? "same" : "differ";
    } catch (SqlException.Invalid e) {
      return "rejected";
    } catch (SqlException.WorkerLost | SqlException.EngineFailure e) {
      findings.add(e.getClass().getSimpleName() + ": " + sql);
      return e instanceof SqlException.WorkerLost ? "lost" : "internal";
    } catch (SqlException.Timeout e) {
      return "timeout";
    } catch (SqlException e) {
      return "failed";
    }
  }

  private void count(String outcome) {
    counts.merge(outcome, 1, Integer::sum);
  }

  private void count(String outcome, String sql) {
    count(outcome);
    if (outcome.equals("differ")) {
      findings.add("differ: " + sql);
    }
  }

  /// Binds calls without running them, all in one statement of the worker, and runs those that the
  /// binder accepts.
  private void attempt(Function function, List<List<String>> calls) throws IOException {
    if (calls.isEmpty()) {
      return;
    }
    String statements =
        calls.stream()
            .map(values -> "'SELECT " + call(function, values).replace("'", "''") + "'")
            .collect(Collectors.joining(", "));
    List<List<@Nullable Object>> errors;
    try {
      errors =
          workers.rows(
              "SELECT json_serialize_plan(s) ->> 'error_type' FROM unnest([%s]) t(s)"
                  .formatted(statements));
    } catch (SqlException e) {
      if (calls.size() == 1) {
        counts.merge("tried", 1, Integer::sum);
        if (!(e instanceof SqlException.WorkerLost || e instanceof SqlException.EngineFailure)) {
          // The plan has a value that the engine cannot write, such as bits.
          run(function, calls.getFirst());
          return;
        }
        findings.add(e.getClass().getSimpleName() + " of the binder: " + statements);
        return;
      }
      attempt(function, calls.subList(0, calls.size() / 2));
      attempt(function, calls.subList(calls.size() / 2, calls.size()));
      return;
    }
    counts.merge("tried", calls.size(), Integer::sum);
    for (int i = 0; i < calls.size(); i++) {
      if (errors.get(i).getFirst() == null) {
        counts.merge("bound", 1, Integer::sum);
        run(function, calls.get(i));
      }
    }
  }

  private void run(Function function, List<String> values) throws IOException {
    if (values.isEmpty()) {
      count(
          outcome(
              "SELECT " + call(function, values) + " IS NULL OR true FROM range(" + ROWS + ")"));
    } else if (!function.type().equals("scalar") && !function.type().equals("macro")) {
      String sql = overRows(function, values);
      count(outcome(sql), sql);
    } else {
      runBesideConstants(function, values);
    }
  }

  private void runBesideConstants(Function function, List<String> values) throws IOException {
    List<String> parts = new ArrayList<>();
    for (int mask = 1; mask < 1 << values.size(); mask++) {
      parts.add(besideConstants(function, values, mask));
    }
    String all = outcome("SELECT " + String.join(" AND ", parts) + from(values));
    if (all.equals("same")) {
      count(all);
      return;
    }
    for (String part : parts) {
      String sql = "SELECT " + part + from(values);
      count(outcome(sql), sql);
    }
  }

  private static String from(List<String> values) {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i).equals(LAMBDA) ? "NULL" : values.get(i);
      columns.add("CASE WHEN hash(i) % 5 > 0 THEN " + value + " END AS c" + i);
    }
    return " FROM (SELECT hash(i) % 5 > 0 AS filled, "
        + String.join(", ", columns)
        + " FROM range("
        + ROWS
        + ") r(i))";
  }

  /// Returns the comparison of rows with constants.
  ///
  /// @param mask the arguments that are columns
  private static String besideConstants(Function function, List<String> values, int mask) {
    List<String> mixed = new ArrayList<>();
    List<String> empty = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      boolean column = (mask >> i & 1) > 0 && !value.equals(LAMBDA);
      mixed.add(column ? "c" + i : value);
      empty.add(column ? "CASE WHEN false THEN " + value + " END" : value);
    }
    String found = call(function, mixed);
    if (!isComparable(function, values)) {
      return "count(" + found + ") >= 0";
    }
    return "bool_and(%s IS NOT DISTINCT FROM CASE WHEN filled THEN %s ELSE %s END)"
        .formatted(found, call(function, values), call(function, empty));
  }

  /// Returns whether rows have the result of constants. A null without a type has another one as a
  /// column.
  private static boolean isComparable(Function function, List<String> values) {
    String name = function.name();
    return !SqlFunctions.isChanging(name)
        && !INEXACT.contains(name)
        && !values.contains("NULL")
        && !(WRONG_FOR_UNIONS.contains(name) && values.contains(UNION))
        && !(ROUNDING.contains(name) && values.getLast().equals("(-7)::TINYINT"));
  }

  /// Returns a call of an aggregate or a window over columns and over constants.
  private static String overRows(Function function, List<String> values) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      names.add("c" + i);
    }
    String found = call(function, names);
    boolean compares = isComparable(function, values) && function.type().equals("aggregate");
    return "SELECT "
        + (compares
            ? found + " IS NOT DISTINCT FROM " + call(function, values)
            : found + " IS NULL OR true")
        + from(values)
        + " WHERE filled";
  }

  private void fuzz(Function function, Random random, int percent) throws IOException {
    List<List<String>> calls = new ArrayList<>();
    calls.add(List.of());
    for (String a : VALUES) {
      calls.add(List.of(a));
      VALUES.forEach(b -> calls.add(List.of(a, b)));
      calls.add(List.of(a, LAMBDA));
    }
    if (function.most() > 2) {
      addLonger(calls, function, random);
    }
    calls.removeIf(values ->
        call(function, values).isEmpty()
            || (values.size() > 1 && !values.contains(LAMBDA) && random.nextInt(100) >= percent));
    attempt(function, calls);
  }

  private static void addLonger(List<List<String>> calls, Function function, Random random) {
    for (int trial = 0; trial < 200; trial++) {
      List<String> values = new ArrayList<>();
      // Most such functions take several values of one type, or texts and small numbers.
      String first = VALUES.get(random.nextInt(VALUES.size()));
      int count = function.most() > 3 && random.nextBoolean() ? function.most() : 3;
      for (int i = 0; i < Math.min(count, 6); i++) {
        values.add(
            switch (random.nextInt(4)) {
              case 0 -> first;
              case 1 -> "3::INTEGER";
              case 2 -> "'year'";
              default -> VALUES.get(random.nextInt(VALUES.size()));
            });
      }
      calls.add(values);
    }
  }

  @Test
  void callsOfAllowedFunctionsAnswerOrFail() throws IOException {
    String report = System.getProperty("functions.report");
    List<Function> functions = functions();
    if (report != null) {
      complete(functions, Path.of(report));
      return;
    }
    for (int seed : Trials.seeds(1)) {
      Random random = new Random(seed);
      for (int i = seed % SEEDS; i < functions.size(); i += SEEDS) {
        fuzz(functions.get(i), random, SHARE_PERCENT);
      }
    }
    assertThat(findings).isEmpty();
    assertThat(counts).containsKeys("bound", "same");
  }

  private void complete(List<Function> functions, Path report) throws IOException {
    Set<String> done = new HashSet<>();
    if (Files.exists(report)) {
      Files.readAllLines(report).forEach(line -> done.add(line.split(" ")[0]));
    }
    for (Function function : functions) {
      if (!done.contains(function.name())) {
        counts.clear();
        findings.clear();
        Random random = new Random(function.name().hashCode());
        fuzz(function, random, Integer.getInteger("functions.percent", 100));
        StringBuilder lines = new StringBuilder(function.name());
        counts.forEach(
            (outcome, count) -> lines.append(' ').append(outcome).append('=').append(count));
        findings.forEach(finding -> lines.append("\n! ").append(finding));
        Files.writeString(
            report, lines.append('\n'), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    }
  }
}
