package dev.quiver.sql.syntax;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.sql.execution.SqlException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A text in a condition or a statement that does not convert to the kind of the column that it is
/// compared with.
///
/// @param value the text without its quotes
/// @param kind the kind that it does not convert to
/// @param column the name of the column before or after the comparison, or null if uncertain
/// @param literal the token of the text
record ValueMistake(String value, Kind kind, @Nullable String column, SqlScanner.Token literal) {

  /// The number of characters of a value that a message repeats.
  private static final int VALUE_LENGTH_MAXIMUM = 100;

  /// The digits beyond which a number with a suffix is no example.
  private static final int DIGITS_MAXIMUM = 18;

  /// The message about a number, an interval or a truth value. UUIDs are integers of 128 bits.
  private static final Pattern CONVERSION =
      Pattern.compile(
          "Could not convert string (['\"])(.*)\\1 to (?!U?INT128)([A-Z]+)[0-9]*(?:\\([0-9, ]+\\))?",
          Pattern.DOTALL);

  private static final Pattern TIME =
      Pattern.compile(
          "(?:Invalid )?(date|time|timestamp) field (?:format|value out of range): \"(.*)\"(?:, expected .*)?",
          Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  /// A number as people write it: with separators of thousands, a unit, or a short word for zeros.
  private static final Pattern WRITTEN_NUMBER =
      Pattern.compile(
          "[^-+.\\d\\p{L}]*([-+]?(?:\\d{1,3}(?:[,' _]\\d{3})+|\\d+)(?:\\.\\d+)?)\\s*(\\p{L}*)\\W*");

  private static final Pattern PLAIN_NUMBER =
      Pattern.compile("\\s*[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?\\s*");

  private static final Set<String> COMPARISONS =
      Set.of("=", "<", ">", "!", "IN", "NOT", "BETWEEN", "IS", "DISTINCT", "FROM");

  /// The kinds of values that texts convert to, in the words of people.
  private enum Kind {
    WHOLE_NUMBER("a whole number", "1000"),
    NUMBER("a number", "1.5"),
    DATE("a date", "'2026-01-31'"),
    TIMESTAMP("a date and time", "'2026-01-31 12:00:00'"),
    TIME("a time of day", "'12:00:00'"),
    DURATION("a span of time", "INTERVAL 90 MINUTE"),
    BOOLEAN("true or false", "");

    private final String words;
    private final String example;

    Kind(String words, String example) {
      this.words = words;
      this.example = example;
    }

    /// @param name of a type or of a part of a time in a message of the engine
    private static @Nullable Kind of(String name) {
      return switch (name.toUpperCase(Locale.ROOT)) {
        case "INT", "UINT", "HUGEINT", "UHUGEINT" -> WHOLE_NUMBER;
        case "FLOAT", "DOUBLE", "DECIMAL" -> NUMBER;
        case "DATE" -> DATE;
        case "TIMESTAMP" -> TIMESTAMP;
        case "TIME" -> TIME;
        case "INTERVAL" -> DURATION;
        case "BOOL" -> BOOLEAN;
        default -> null;
      };
    }
  }

  /// Returns the mistake that a message of the engine is about, or null if it is about another one
  /// or about a value of the data.
  ///
  /// @param columnName returns the name of the column that a name means, or null if unknown or if
  ///   its values are texts
  static @Nullable ValueMistake of(
      String message, ConditionTokens tokens, Function<String, @Nullable String> columnName) {
    Matcher conversion = CONVERSION.matcher(message);
    Matcher time = TIME.matcher(message);
    boolean isConversion = conversion.matches();
    if (!isConversion && !time.matches()) {
      return null;
    }
    Kind kind = Kind.of(isConversion ? conversion.group(3) : time.group(1));
    String value = isConversion ? conversion.group(2) : time.group(2);
    String written = SqlNames.literal(value);
    int[] places =
        IntStream.range(0, tokens.count()).filter(i -> tokens.written(i).equals(written)).toArray();
    if (kind == null || places.length == 0) {
      return null;
    }
    for (int place : places) {
      String column = column(tokens, operand(tokens, place), columnName);
      if (column != null) {
        return new ValueMistake(value, kind, column, tokens.get(place));
      }
    }
    for (int place : places) {
      if (operand(tokens, place) >= 0) {
        return new ValueMistake(value, kind, /* column= */ null, tokens.get(place));
      }
    }
    // A text that stands where a condition is expected is rather one that lacks its comparison.
    return kind == Kind.BOOLEAN
        ? null
        : new ValueMistake(value, kind, /* column= */ null, tokens.get(places[0]));
  }

  /// Returns the name of the column that an operand is, or null if it is something else.
  private static @Nullable String column(
      ConditionTokens tokens, int operand, Function<String, @Nullable String> columnName) {
    boolean isMember =
        tokens.text(operand - 1).equals(".")
            && columnName.apply(tokens.get(operand - 2).name()) != null;
    boolean isCall = tokens.text(operand + 1).equals("(");
    return operand < 0 || isMember || isCall ? null : columnName.apply(tokens.get(operand).name());
  }

  /// Returns the index of the last token of what a text is compared with, or -1 if uncertain.
  private static int operand(ConditionTokens tokens, int literal) {
    int before = literal - 1;
    if (tokens.text(before).equals("AND") && tokens.text(before - 2).equals("BETWEEN")) {
      before -= 2;
    } else {
      while (isValue(tokens, before)) {
        before--;
      }
    }
    int first = before;
    while (COMPARISONS.contains(tokens.text(before))) {
      before--;
    }
    if (before < first && before >= 0) {
      return before;
    }
    int after = literal + 1;
    while (COMPARISONS.contains(tokens.text(after))) {
      after++;
    }
    if (after == literal + 1 || !tokens.isAt(after)) {
      return -1;
    }
    while (tokens.text(after + 1).equals(".")) {
      after += 2;
    }
    return after;
  }

  /// Returns whether a token may stand in a list before another value of it.
  private static boolean isValue(ConditionTokens tokens, int index) {
    String text = tokens.text(index);
    return text.equals("(")
        || text.equals(",")
        || text.startsWith("'")
        || tokens.get(index).isNumber();
  }

  /// Returns the failure with what was expected, its place and a hint.
  ///
  /// @param sql the condition or the statement
  SqlException.Value explained(String message, String sql) {
    String found = Excerpt.of(value, VALUE_LENGTH_MAXIMUM);
    return new SqlException.Value(
        column == null || isNumber()
            ? message
            : "Expected %s but found %s at column %s".formatted(kind.words, found, column),
        sql,
        literal.start(),
        literal.text().length(),
        hint());
  }

  private String hint() {
    String words = column == null ? kind.words : "%s for %s".formatted(kind.words, column);
    return switch (kind) {
      case BOOLEAN -> "Write %s.".formatted(words);
      case WHOLE_NUMBER, NUMBER -> {
        BigDecimal meant = meant();
        yield isNumber()
            ? "Write a number nearer to 0%s.".formatted(column == null ? "" : " for " + column)
            : "Write %s, such as %s."
                .formatted(words, meant == null ? kind.example : meant.toPlainString());
      }
      default -> "Write %s, such as %s.".formatted(words, kind.example);
    };
  }

  /// Returns whether the text is a number, which is too large if it does not convert.
  private boolean isNumber() {
    return (kind == Kind.WHOLE_NUMBER || kind == Kind.NUMBER)
        && PLAIN_NUMBER.matcher(value).matches();
  }

  /// Returns the number that a text such as `1m` or `1,000` means, or null if uncertain.
  private @Nullable BigDecimal meant() {
    Matcher matcher = WRITTEN_NUMBER.matcher(value);
    if (value.length() > VALUE_LENGTH_MAXIMUM || !matcher.matches()) {
      return null;
    }
    int zeros =
        switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
          case "k", "thousand" -> 3;
          case "m", "mio", "mn", "mln", "million", "millions" -> 6;
          case "b", "bn", "bln", "billion", "billions" -> 9;
          default -> 0;
        };
    BigDecimal number =
        new BigDecimal(matcher.group(1).replaceAll("[,' _]", "")).scaleByPowerOfTen(zeros);
    boolean isWhole = number.stripTrailingZeros().scale() <= 0;
    return number.precision() - number.scale() > DIGITS_MAXIMUM
            || kind == Kind.WHOLE_NUMBER && !isWhole
        ? null
        : number;
  }
}
