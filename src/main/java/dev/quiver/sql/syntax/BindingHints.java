package dev.quiver.sql.syntax;

import dev.quiver.arrow.memory.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Hints about statements that the engine parses and does not bind, by its messages. Those belong
/// to the engine's version: a message that is not known here has no hint.
final class BindingHints {

  /// The end of a message with the names that the engine holds for near, or advice on a setting.
  private static final Pattern CANDIDATES =
      Pattern.compile(
          "\\s*(?:Candidate (?:bindings|tables): |Please transition to )(.*)$", Pattern.DOTALL);

  private static final Pattern NAME = Pattern.compile("\"((?:[^\"]|\"\")*)\"");

  private static final Pattern COLUMN =
      Pattern.compile(
          "Referenced column \"(.*)\" (?:not found in|was not found because|that is not present)"
              + "|Column \"(.*)\" in \\w+ list not found");

  private static final Pattern TABLE = Pattern.compile("Referenced table \"(.*)\" not found");
  private static final Pattern AMBIGUOUS = Pattern.compile("\\(use: (.*)\\)");
  private static final Pattern VALUE = Pattern.compile("value for the parameter \\$(\\S+)");

  /// A call whose arguments have other types: the name and the types.
  private static final Pattern CALL = Pattern.compile("['\"]([^'\"(]+)\\(([^'\"]*)\\)['\"]");

  /// The functions of dates whose first argument is a text.
  private static final Set<String> PARTS =
      Set.of("date_trunc", "datetrunc", "date_part", "datepart");

  /// Advice without a detail of the statement, by a part of the message in lower case.
  private static final List<Advice> ADVICE =
      List.of(
          new Advice(
              "must appear in the group by",
              "Write GROUP BY ALL, or put an aggregate such as any_value() around the column"),
          new Advice(
              "where clause cannot contain aggregates",
              "Put the condition after GROUP BY as HAVING, or compare with a subquery"),
          new Advice(
              "where clause cannot contain window",
              "Put the condition after WHERE and GROUP BY as QUALIFY"),
          new Advice(
              "aggregate function calls cannot be nested",
              "Compute the inner aggregate in a subquery after FROM"),
          new Advice(
              "more than one row returned by a subquery",
              "Write IN in place of =, or add LIMIT 1 to the subquery"),
          new Advice(
              "same number of result columns",
              "Select as many columns on both sides, or write UNION BY NAME"),
          new Advice("cannot compare values of type interval", SharedHints.interval("1000")),
          new Advice(
              "cannot compare values of type",
              "Cast one side to the type of the other, such as TRY_CAST(column AS DOUBLE) or CAST(column AS VARCHAR)"),
          new Advice(
              "type with name",
              "Write a type such as BIGINT, DOUBLE, DECIMAL(18, 2), VARCHAR, DATE, TIMESTAMP or BOOLEAN"));

  private record Advice(String part, String hint) {}

  private BindingHints() {}

  /// Returns a message without the names that the engine suggests, which may be far from the
  /// misspelt one.
  static String withoutCandidates(String message) {
    return CANDIDATES.matcher(message).replaceFirst("");
  }

  /// Returns a hint about a message of the engine, or null if unknown.
  ///
  /// @param position of the error in characters, or -1 if unknown
  static @Nullable String hint(String message, String sql, int position, ReadableNames names) {
    OtherCalls calls = OtherCalls.of(sql);
    String other = otherCall(message, calls, position);
    if (other != null) {
      return other;
    }
    Matcher column = COLUMN.matcher(message);
    if (column.find()) {
      String name = column.group(1) == null ? column.group(2) : column.group(1);
      String text = text(name, calls, calls.tokens().indexAt(position));
      String quoted = SyntaxHints.quoted(sql, position, names);
      return quoted != null
          ? quoted
          : text == null ? column(name, candidates(message), message) : text;
    }
    Matcher table = TABLE.matcher(message);
    if (table.find()) {
      return table(table.group(1), candidates(message));
    }
    Matcher ambiguous = AMBIGUOUS.matcher(message);
    if (ambiguous.find()) {
      return "Write " + ambiguous.group(1).replace("'", "");
    }
    Matcher value = VALUE.matcher(message);
    if (value.find()) {
      return "Send its value as p.%s in the URL, or in the parameters of a JSON body"
          .formatted(value.group(1));
    }
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("explicit type casts")) {
      return call(message);
    }
    return ADVICE.stream()
        .filter(advice -> lower.contains(advice.part))
        .map(Advice::hint)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String otherCall(String message, OtherCalls calls, int position) {
    if (message.startsWith("Chained comparisons")) {
      return calls.comparisons();
    }
    return message.contains("lambda arrow") ? calls.lambda() : calls.truncation(position);
  }

  private static List<String> candidates(String message) {
    List<String> candidates = new ArrayList<>();
    Matcher list = CANDIDATES.matcher(message);
    if (list.find()) {
      Matcher name = NAME.matcher(list.group(1));
      while (name.find()) {
        candidates.add(name.group(1).replace("\"\"", "\""));
      }
    }
    return candidates;
  }

  /// Returns a hint about a name that is rather a text, or null if it is none.
  private static @Nullable String text(String name, OtherCalls calls, int index) {
    return calls.tokens().written(index).startsWith("\"") && calls.isCompared(index, "=<>")
        ? SharedHints.text(name)
        : calls.typographic(index);
  }

  private static String column(String name, List<String> candidates, String message) {
    String near = NearestName.near(name, candidates);
    if (near != null && !near.equals(name)) {
      return SharedHints.inPlaceOf(SqlNames.written(near), SqlNames.written(name));
    }
    String other = OtherDialects.word(name.toLowerCase(Locale.ROOT));
    if (other != null) {
      return SharedHints.inPlaceOf(other, name);
    }
    String text = SqlNames.literal(name);
    return message.contains("FROM clause is missing")
        ? "Add FROM and the name of a dataset, or write %s if it is a text".formatted(text)
        : "Write %s if it is a text, or one of the columns that DESCRIBE lists".formatted(text);
  }

  private static String table(String name, List<String> candidates) {
    String last = name.substring(name.lastIndexOf('.') + 1);
    String near = NearestName.near(last, candidates);
    if (near != null) {
      return "Write %s before the column".formatted(SqlNames.written(near));
    }
    return candidates.isEmpty()
        ? "Add FROM and the name of the dataset"
        : "Write a name from FROM before the column, such as "
            + SqlNames.written(candidates.getFirst());
  }

  /// Returns the cast that the arguments of a function need.
  static @Nullable String call(String message) {
    Matcher call = CALL.matcher(message);
    int start = message.indexOf("Candidate functions:");
    if (!call.find() || start < 0) {
      return null;
    }
    if (call.group(1).equals("&&")) {
      return SharedHints.AND;
    }
    if (PARTS.contains(call.group(1)) && call.group(2).endsWith(", STRING_LITERAL")) {
      return "Write the part of the date first, as %s('month', column)".formatted(call.group(1));
    }
    String accepted = message.substring(start);
    boolean isText = call.group(2).contains("VARCHAR");
    String type =
        !isText && accepted.contains("VARCHAR")
            ? "VARCHAR"
            : accepted.contains(" TIMESTAMP") ? "TIMESTAMP" : "DOUBLE";
    return isText
        ? "Cast the text, such as TRY_CAST(column AS %s), which is NULL where it does not convert"
            .formatted(type)
        : "Cast the argument, such as CAST(column AS %s)".formatted(type);
  }
}
