package dev.quiver.sql.syntax;

import dev.quiver.arrow.memory.NearestName;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.syntax.SqlScanner.Token;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Hints about conditions that are rejected or that fail, by their tokens and the columns of the
/// dataset.
public final class ConditionHints {

  /// The number of characters of a condition that a hint repeats.
  private static final int QUOTED_MAXIMUM = 200;

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{1,2}-\\d{1,2}");
  private static final String LISTS =
      "Compare the length of the list, as len(x), or find a value in it by list_contains(x, 'a').";

  private static final String COMPARISONS = "=<>(,";

  /// Words that are not names, besides the reserved ones.
  private static final Set<String> OPERATORS =
      Set.of(
          "BETWEEN", "GLOB", "ILIKE", "IS", "ISNULL", "LIKE", "MOD", "NOTNULL", "SIMILAR", "XOR");

  private static final Set<String> DATES = Set.of("current_date", "curdate", "getdate", "today");

  private static final Set<String> NOW =
      Set.of("current_time", "current_timestamp", "localtime", "localtimestamp");

  private final String condition;
  private final String dataset;
  private final ConditionColumns columns;
  private final ConditionTokens tokens;
  private final ConditionSyntax syntax;
  private final OtherCalls calls;

  /// @param dataset the name of the dataset
  /// @param schema in which every column has the name that conditions use
  public ConditionHints(String condition, String dataset, Schema schema) {
    this.condition = condition;
    this.dataset = dataset;
    this.columns = new ConditionColumns(schema);
    this.tokens = ConditionTokens.of(condition);
    this.syntax = new ConditionSyntax(condition, tokens, columns);
    this.calls = new OtherCalls(condition, tokens);
  }

  /// Checks that there is one condition.
  ///
  /// @throws Invalid if the condition is empty, or followed by another statement
  public void check() {
    if (tokens.count() == 0) {
      String list = columns.list();
      throw new Invalid(
          Reason.INVALID_SQL,
          "Expected a condition but found none at parameter where",
          condition,
          /* position= */ -1,
          /* length= */ 0,
          list.isEmpty()
              ? "Leave where out."
              : "Leave where out, or compare one of the columns, which are %s.".formatted(list));
    }
    for (Token token : tokens.tokens()) {
      if (token.is(";")) {
        throw new Invalid(
            Reason.INVALID_SQL,
            "Expected one condition but found a semicolon",
            condition,
            token.start(),
            /* length= */ 1,
            token == tokens.get(tokens.count() - 1)
                ? "Leave the semicolon out."
                : "Send one condition, whose parts are joined by AND or OR.");
      }
    }
  }

  /// Returns a failure with a hint, if one is known and the failure has none.
  public SqlException explained(SqlException failure) {
    return switch (failure) {
      case Invalid e when e.hint() == null -> {
        String message = BindingHints.withoutCandidates(e.getMessage());
        String hint =
            e.reason() == Reason.SQL_NOT_ALLOWED
                ? first(this::operator, syntax::any, () -> notAllowed(e))
                : first(
                    this::operator,
                    this::bareWords,
                    () -> syntax.or(message),
                    () -> syntax.syntax(message, tokens.indexAt(e.position())),
                    () -> types(message));
        yield new Invalid(e.reason(), message, condition, e.position(), e.length(), hint);
      }
      case SqlException.Value e -> {
        String message = e.getMessage();
        String hint = first(() -> syntax.or(message), this::text);
        ValueMistake mistake =
            hint == null ? ValueMistake.of(message, tokens, columns::converting) : null;
        yield mistake != null
            ? mistake.explained(message, condition)
            : new SqlException.Value(
                message,
                first(
                    () -> hint,
                    () -> types(message),
                    () ->
                        message.contains("to BOOL")
                            ? "Compare each part with a value, such as x = 'a' OR x = 'b'."
                            : null,
                    e::hint));
      }
      default -> failure;
    };
  }

  private @Nullable String operator() {
    return calls.operator(0, tokens.count());
  }

  /// Returns the first hint that is known, or null.
  @SafeVarargs
  static @Nullable String first(Supplier<@Nullable String>... hints) {
    return Stream.of(hints).map(Supplier::get).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /// Returns a hint about a name that no column has.
  ///
  /// @param position of the name, or -1 if unknown
  public String unknownColumn(String name, int position) {
    int index = tokens.indexAt(position);
    String near = columns.near(name);
    String hint =
        first(
            () -> calls.typographic(index),
            this::bareWords,
            () -> columns.quotedName(condition, position),
            () -> qualified(name, index),
            () -> now(name),
            () -> comparedText(name, near, index),
            () -> near == null ? null : SharedHints.inPlaceOf(near, SqlNames.written(name)),
            this::operator);
    String list = columns.list();
    return hint != null
        ? hint
        : list.isEmpty()
            ? "Leave where out, since the dataset has no columns."
            : "Compare one of the columns, which are %s.".formatted(list);
  }

  /// Returns the nearest column, or null if none is near or if the name is rather a text.
  ///
  /// @param position of the name, or -1 if unknown
  public @Nullable String near(String name, int position) {
    boolean isQuoted = position >= 0 && condition.startsWith("\"", position);
    return isQuoted && calls.isCompared(tokens.indexAt(position), COMPARISONS)
        ? null
        : columns.near(name);
  }

  /// Returns a hint about a word or a function for the date or the time of a request.
  private static @Nullable String now(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean isOther = "now()".equals(OtherDialects.word(lower));
    return DATES.contains(lower)
        ? "Write the date itself, such as DATE '2026-01-31', since equal conditions match equal rows."
        : NOW.contains(lower) || isOther
            ? "Write the time itself, such as TIMESTAMP '2026-01-31 12:00:00', since equal conditions"
                + " match equal rows."
            : null;
  }

  /// Returns a hint about a name where a text is likely.
  private @Nullable String comparedText(String name, @Nullable String near, int index) {
    boolean isQuoted = tokens.written(index).startsWith("\"");
    boolean isCompared = calls.isCompared(index, COMPARISONS);
    if (!isCompared && !isQuoted || index == 0 && near != null) {
      return null;
    }
    return near != null && !isQuoted
        ? "Write text in single quotes, such as %s, or %s, the nearest column."
            .formatted(SqlNames.literal(name), near)
        : SharedHints.text(name);
  }

  /// Returns a hint about the name of a table before that of a column.
  private @Nullable String qualified(String name, int index) {
    return tokens.text(index + 1).equals(".")
            && tokens.isAt(index + 2)
            && columns.has(tokens.get(index + 2).name())
        ? "Write %s without %s.".formatted(tokens.written(index + 2), name)
        : null;
  }

  /// Returns a hint about a condition that is only words.
  private @Nullable String bareWords() {
    boolean isWords =
        tokens.tokens().stream()
            .allMatch(token ->
                (token.isWord() || token.isNumber())
                    && !SqlNames.isReserved(token.text())
                    && !OPERATORS.contains(token.text().toUpperCase(Locale.ROOT))
                    && !OtherCalls.isInfix(token.text().toUpperCase(Locale.ROOT)));
    return isWords && tokens.tokens().stream().anyMatch(Token::isWord)
        ? search(condition.strip())
        : null;
  }

  /// Returns a hint about a text that is not compared with anything.
  private @Nullable String text() {
    Token first = tokens.get(0);
    return tokens.count() == 1 && first.text().startsWith("'") && first.text().length() > 2
        ? search(first.text().substring(1, first.text().length() - 1).replace("''", "'"))
        : null;
  }

  private String search(String text) {
    String comparison = columns.comparison(text);
    return text.length() > QUOTED_MAXIMUM
        ? "Compare a column with the text."
        : "Send search=%s to find it in any text%s."
            .formatted(
                URLEncoder.encode(text, StandardCharsets.UTF_8),
                comparison == null ? "" : ", or compare a column, such as " + comparison);
  }

  private @Nullable String notAllowed(Invalid failure) {
    String found = failure.getMessage().replaceFirst(".* but found ", "");
    if (found.equals("parameter")) {
      return "Write the value itself in place of the parameter.";
    }
    String other = OtherDialects.function(found);
    String function = other == null ? found : other.replaceFirst("\\(.*", "");
    if (SqlFunctions.isAggregate(function)) {
      return "Send a statement with GROUP BY and HAVING to /sql, since a condition sees one row at"
          + " a time.";
    }
    if (failure.getMessage().contains("values of one row")) {
      return "Send a statement to /sql, since a condition sees one row at a time.";
    }
    if (found.equals("random") || found.equals("rand")) {
      return "Send sample=1000 for a thousand rows that are spread evenly.";
    }
    String now = now(found);
    if (now != null) {
      return now;
    }
    if (SqlFunctions.isChanging(function)) {
      return "Write the value itself, such as TIMESTAMP '2026-01-31 12:00:00', since equal"
          + " conditions match equal rows.";
    }
    boolean isRowFunction = SqlFunctions.isAllowedInCondition(function, /* asOperator= */ false);
    boolean isAllowed = SqlFunctions.isAllowed(function, /* asOperator= */ false);
    if (other != null) {
      return isAllowed && !isRowFunction
          ? "Send a statement to /sql, with %s in place of %s.".formatted(other, found)
          : SharedHints.inPlaceOf(other, found);
    }
    if (isAllowed) {
      return "Send a statement to /sql, which has more functions%s."
          .formatted(
              condition.length() > QUOTED_MAXIMUM
                  ? ""
                  : ": SELECT * FROM %s WHERE %s".formatted(SqlNames.written(dataset), condition));
    }
    String near =
        NearestName.near(
            found,
            SqlFunctions.conditionFunctions().stream().filter(SqlNames::isPlain).sorted().toList());
    return near == null ? null : SharedHints.inPlaceOf(near, found);
  }

  private @Nullable String types(String message) {
    if (message.startsWith("Chained comparisons")) {
      return calls.comparisons();
    }
    if (message.startsWith("No function matches")) {
      String cast = BindingHints.call(message);
      return cast == null ? null : cast + ".";
    }
    if (message.contains("destination type") && message.contains("[]")) {
      String list = syntax.list();
      return list == null ? LISTS : list;
    }
    if (message.startsWith("Referenced column")) {
      return "Write a function around its column, such as lower(x).";
    }
    if (!message.startsWith("Cannot compare") && !message.startsWith("Unimplemented type")) {
      return null;
    }
    if (message.contains("INTERVAL")) {
      return SharedHints.interval(
          tokens.tokens().stream()
              .filter(Token::isNumber)
              .map(Token::text)
              .findFirst()
              .orElse("1000"));
    }
    if (message.contains("DATE") || message.contains("TIME")) {
      Matcher date = DATE.matcher(condition);
      return "Write a date in single quotes, such as '%s'."
          .formatted(date.find() ? date.group() : "2026-01-31");
    }
    if (message.contains("[]")) {
      return LISTS;
    }
    return message.contains("VARCHAR")
        ? "Write text in single quotes, or convert the column, such as TRY_CAST(x AS DOUBLE)."
        : null;
  }
}
