package dev.quiver.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.quiver.Trials;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.SqlException.Value;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Hints about any sequence of tokens, with an error at any of its places. A hint may be absent,
/// but looking for it never fails.
@Tag("random")
class HintsFuzzTest {

  private static final int TRIALS = 200_000;
  private static final int TOKENS_MAXIMUM = 9;

  private static final List<String> TOKENS =
      List.of(
          ("( ) [ ] , ; . = == <> < > ! != + - * / % || :: : ? $ $1 $name & && | ~ @ ^ -> => {"
                  + " } \" ' ` “ ” ‘ ’ „ « » # -- /* */ 0 7 1.5 1e3 'a' '' \"b c\" \"\" x minutes"
                  + " Title SELECT FROM WHERE AND OR NOT IN IS NULL LIKE ILIKE BETWEEN STARTS ENDS"
                  + " CONTAINS WITH GROUP BY ORDER LIMIT TOP DATE INTERVAL CASE WHEN THEN END ANY"
                  + " nvl now today isnull len date_sub contains flights 'https://a/b.csv' JOIN ON")
              .split(" "));

  private static final List<String> MESSAGES =
      List.of(
          "Syntax error at or near \"-\"",
          "Syntax error at end of input",
          "Unterminated quoted string",
          "Unterminated string",
          "Zero-length delimited identifier",
          "Chained comparisons are not supported",
          "SELECT clause without selection list",
          "FROM clause is missing",
          "Cannot compare values of type DATE and INTEGER",
          "Cannot compare values of type VARCHAR and INTERVAL",
          "Cannot compare values of type VARCHAR[] and VARCHAR",
          "Cannot cast to BOOL",
          "Failed to cast 'true' to INTEGER",
          "No function matches the given name and argument types 'len(INTEGER)'.",
          "Referenced column \"a\" not found in FROM clause",
          "Referenced table \"a\" not found",
          "Ambiguous reference to column name \"a\" (use: \"b.a\" or \"c.a\")",
          "Table with name a does not exist",
          "Scalar Function with name nvl does not exist",
          "A lambda arrow is deprecated",
          "");

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("Title", true, new ArrowType.Utf8()),
          Field.of("minutes", true, new ArrowType.Int(32, true)),
          Field.of("b c", true, new ArrowType.Int(64, true)),
          Field.of("", true, new ArrowType.Int(32, true)));

  private static final ReadableNames NAMES =
      new ReadableNames() {
        @Override
        public boolean isDataset(String name) {
          return name.equals("flights");
        }

        @Override
        public List<String> columns(String dataset) {
          return isDataset(dataset) ? List.of("Title", "minutes", "b c", "") : List.of();
        }
      };

  @Test
  void looksForHintsAboutAnyTokens() {
    for (int seed : Trials.seeds(TRIALS)) {
      Random random = new Random(seed);
      String sql = sql(random);
      Invalid failure = failure(random, sql);
      assertThatCode(
              () -> {
                ConditionHints hints = new ConditionHints(sql, "flights", SCHEMA);
                hints.explained(failure);
                hints.explained(new Value(failure.getMessage()));
                StatementHints.of(failure, sql, NAMES);
              })
          .as("%s, with %s at %d", sql, failure.getMessage(), failure.position())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void hintsAtConditionsThatEndWithAnOperator() {
    for (String operator : List.of("-", "=", "LIKE", ",", "CONTAINS -")) {
      String condition = "minutes " + operator;
      Invalid failure = failure(condition, "Syntax error at end of input", condition.length());
      assertThat(new ConditionHints(condition, "flights", SCHEMA).explained(failure).hint())
          .as(condition)
          .isNotEmpty();
    }
  }

  private static String sql(Random random) {
    return IntStream.range(0, random.nextInt(TOKENS_MAXIMUM))
        .mapToObj(_ -> TOKENS.get(random.nextInt(TOKENS.size())))
        .collect(Collectors.joining(random.nextBoolean() ? " " : ""));
  }

  private static Invalid failure(Random random, String sql) {
    String message = MESSAGES.get(random.nextInt(MESSAGES.size()));
    return failure(sql, message, random.nextInt(sql.length() + 2) - 1);
  }

  private static Invalid failure(String sql, String message, int position) {
    return new Invalid(Reason.INVALID_SQL, message, sql, position, 0);
  }
}
