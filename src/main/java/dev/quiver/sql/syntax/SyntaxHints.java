package dev.quiver.sql.syntax;

import dev.quiver.arrow.memory.NearestName;
import dev.quiver.sql.syntax.SqlScanner.Token;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Hints about statements that the engine's parser rejects, by the tokens around the place of the
/// error: names that need quotes, misspelt keywords, and forms of other databases.
final class SyntaxHints {

  private static final int TOKENS_MAXIMUM = 2_000;

  /// The datasets of a statement whose columns are looked at.
  private static final int DATASETS_MAXIMUM = 4;

  /// The characters before and after the error that may belong to the same name.
  private static final int WINDOW = 200;

  /// The first words of statements that only read.
  private static final List<String> BEGINNINGS =
      List.of(
          "SELECT",
          "FROM",
          "WITH",
          "DESCRIBE",
          "SUMMARIZE",
          "SHOW TABLES",
          "EXPLAIN",
          "VALUES",
          "PIVOT",
          "UNPIVOT");

  private static final List<String> KEYWORDS =
      List.of(
          "FROM",
          "WHERE",
          "GROUP BY",
          "ORDER BY",
          "HAVING",
          "LIMIT",
          "OFFSET",
          "JOIN",
          "UNION",
          "QUALIFY",
          "DISTINCT",
          "BETWEEN",
          "INNER JOIN",
          "LEFT JOIN",
          "CROSS JOIN");

  private static final List<String> BEFORE_BY = List.of("GROUP", "ORDER", "PARTITION");

  /// The clauses of a SELECT in their order.
  private static final List<String> CLAUSES = List.of("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT");

  /// The characters around a name at an error.
  private static final String DELIMITERS = " \t\r\n,;()[]{}'\"";

  private static final Pattern TYPOGRAPHIC = Pattern.compile("[\u2018\u2019\u201c\u201d\u201e]");

  private final String sql;
  private final int position;
  private final ReadableNames names;
  private final List<Token> tokens;

  /// The number of tokens before the error.
  private final int index;

  private SyntaxHints(String sql, int position, ReadableNames names) {
    this.sql = sql;
    this.position = position;
    this.names = names;
    this.tokens = SqlScanner.tokens(sql, TOKENS_MAXIMUM);
    this.index =
        position < 0
            ? tokens.size()
            : (int) tokens.stream().filter(token -> token.end() <= position).count();
  }

  /// Returns a hint about a syntax error, or null if unknown.
  ///
  /// @param message of the engine
  /// @param position of the error in characters, or -1 if unknown
  static @Nullable String hint(String message, String sql, int position, ReadableNames names) {
    SyntaxHints hints = new SyntaxHints(sql, position, names);
    OtherCalls calls = new OtherCalls(sql, new ConditionTokens(hints.tokens));
    return Stream.<Supplier<@Nullable String>>of(
            () -> whole(message, sql),
            hints::beginning,
            hints::quotedDataset,
            hints::quotedColumn,
            () -> calls.convert(position),
            () -> calls.infix(hints.index),
            () -> calls.operator(hints.index - 1, hints.index + 2),
            hints::otherForm,
            hints::otherDialect,
            hints::reservedName,
            hints::clauseOrder,
            hints::keyword)
        .map(Supplier::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /// Returns a hint about a name at a place that needs quotes, or null if absent.
  static @Nullable String quoted(String sql, int position, ReadableNames names) {
    SyntaxHints hints = new SyntaxHints(sql, position, names);
    String dataset = hints.quotedDataset();
    return dataset == null ? hints.quotedColumn() : dataset;
  }

  /// Returns a hint that needs no place.
  private static @Nullable String whole(String message, String sql) {
    if (message.contains("nterminated string") || message.contains("nterminated quoted")) {
      return SharedHints.QUOTES;
    }
    if (message.contains("without selection list")) {
      return "Write SELECT * for all columns";
    }
    return TYPOGRAPHIC.matcher(sql).find()
        ? "Write the straight marks ' around texts and \" around names"
        : null;
  }

  private @Nullable String beginning() {
    if (index > 0 || tokens.isEmpty()) {
      return null;
    }
    String first = tokens.getFirst().text();
    String near = tokens.getFirst().isWord() ? NearestName.near(first, BEGINNINGS) : null;
    if (near == null || near.equalsIgnoreCase(first)) {
      return "Begin with SELECT, FROM or WITH; SHOW TABLES lists the datasets";
    }
    return SharedHints.inPlaceOf(near, first);
  }

  /// Returns the text around the error up to spaces and marks.
  private String run() {
    int start = Math.min(position, sql.length());
    while (start > 0 && DELIMITERS.indexOf(sql.charAt(start - 1)) < 0) {
      start--;
    }
    int end = Math.min(position, sql.length());
    while (end < sql.length() && DELIMITERS.indexOf(sql.charAt(end)) < 0) {
      end++;
    }
    return sql.substring(start, end);
  }

  private @Nullable String quotedDataset() {
    if (position < 0) {
      return null;
    }
    String run = run();
    return !SqlNames.isPlain(run) && names.isDataset(run)
        ? "Put the name of the dataset in double quotes: " + SqlNames.quoted(run)
        : null;
  }

  /// Returns a hint about a column whose name the statement has without quotes at the error.
  private @Nullable String quotedColumn() {
    if (position < 0) {
      return null;
    }
    int windowStart = Math.max(0, position - WINDOW);
    String window = sql.substring(windowStart, Math.min(sql.length(), position + WINDOW));
    int place = position - windowStart;
    for (String column : columns()) {
      if (!column.isEmpty() && !SqlNames.isPlain(column)) {
        int start = window.lastIndexOf(column, place);
        if (start >= 0 && place <= start + column.length()) {
          return "Put the name of the column in double quotes: " + SqlNames.quoted(column);
        }
      }
    }
    return null;
  }

  /// Returns the columns of the datasets after FROM and JOIN.
  private Set<String> columns() {
    Set<String> datasets = new LinkedHashSet<>();
    for (int i = 0; i + 1 < tokens.size() && datasets.size() < DATASETS_MAXIMUM; i++) {
      if (tokens.get(i).is("FROM") || tokens.get(i).is("JOIN")) {
        datasets.add(tokens.get(i + 1).name());
      }
    }
    Set<String> columns = new LinkedHashSet<>();
    datasets.forEach(dataset -> columns.addAll(names.columns(dataset)));
    return columns;
  }

  /// Returns a hint about a form of the shell, of drivers or of other databases.
  private @Nullable String otherForm() {
    String found = text(index);
    if (text(0).equals("SHOW")) {
      return "Write SHOW TABLES, or DESCRIBE and the name of a dataset; information_schema.tables and information_schema.columns have conditions";
    }
    return switch (found) {
      case ":", "@", "{", "}" -> "Write $name for a parameter, and send its value as p.name";
      case "SEPARATOR" -> "Write string_agg(column, ', ') with the separator as second argument";
      case "APPLY" ->
          "Write CROSS JOIN unnest(list) AS t(value) in place of APPLY to a list, and JOIN LATERAL in place of APPLY to a query";
      case "WITH" ->
          isAt(index + 1, "(")
              ? "Leave it out, since a statement reads one fixed version of each dataset"
              : null;
      default -> null;
    };
  }

  private @Nullable String otherDialect() {
    String before = text(index - 1);
    String found = text(index);
    if (before.equals("TOP")) {
      return "Write LIMIT %s at the end in place of TOP".formatted(found);
    }
    if (found.equals(",") && text(index - 2).equals("LIMIT")) {
      return "Write LIMIT %s OFFSET %s".formatted(text(index + 1), before);
    }
    if (before.equals("ON") && text(index - 2).equals("DISTINCT")) {
      return "Write DISTINCT ON (%s)".formatted(tokens.get(index).text());
    }
    return switch (before) {
      case "MINUS" -> "Write EXCEPT in place of MINUS";
      case "SAMPLE" -> "Write USING SAMPLE " + found;
      case "OF" ->
          text(index - 2).equals("AS")
              ? "Write the version in the name, such as \"%s@%s\"".formatted(name(index - 3), found)
              : null;
      default -> null;
    };
  }

  /// Returns a hint about a keyword that is also the name of a dataset or a column.
  private @Nullable String reservedName() {
    for (int i = index; i >= Math.max(0, index - 1); i--) {
      if (i < tokens.size() && tokens.get(i).isWord()) {
        String word = tokens.get(i).text();
        if (SqlNames.isReserved(word) && (names.isDataset(word) || columns().contains(word))) {
          return "Put the name in double quotes, since it is a keyword: " + SqlNames.quoted(word);
        }
      }
    }
    return null;
  }

  private @Nullable String clauseOrder() {
    int clause = CLAUSES.indexOf(text(index));
    for (int i = index - 1; clause >= 0 && i >= 0; i--) {
      if (CLAUSES.indexOf(text(i)) > clause) {
        return "Put the clauses in the order FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT";
      }
    }
    return null;
  }

  /// Returns a hint about a misspelt keyword at the error or before it.
  private @Nullable String keyword() {
    for (int i = Math.max(0, index - 1); i <= index; i++) {
      String word = text(i);
      boolean isClause = tokens.subList(0, i).stream().anyMatch(token -> token.is("FROM"));
      if (isClause
          && (word.equals("GROUP") || word.equals("ORDER"))
          && !text(i - 1).equals("FROM")) {
        return "Write %s BY".formatted(word);
      }
      if (word.length() > 2 && tokens.get(i).isWord() && !SqlNames.isReserved(word)) {
        String near = NearestName.near(word, isAt(i + 1, "BY") ? BEFORE_BY : KEYWORDS);
        if (near != null && !near.equals(word)) {
          return SharedHints.inPlaceOf(near, tokens.get(i).text());
        }
      }
    }
    return null;
  }

  private boolean isAt(int token, String text) {
    return text(token).equals(text);
  }

  /// Returns a token in upper case, or an empty text if absent.
  private String text(int token) {
    return token < 0 || token >= tokens.size()
        ? ""
        : tokens.get(token).text().toUpperCase(Locale.ROOT);
  }

  private String name(int token) {
    return token < 0 ? "name" : tokens.get(token).name();
  }
}
