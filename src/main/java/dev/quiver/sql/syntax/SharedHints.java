package dev.quiver.sql.syntax;

/// Sentences about mistakes that people make in conditions and in statements alike.
final class SharedHints {

  static final String AND = inPlaceOf("AND", "&&");

  static final String OR = "Write OR in place of ||, which joins texts.";

  static final String COMPARISONS = "Join two comparisons by AND, such as 1 < x AND x < 3.";

  static final String QUOTES =
      "Close each text with ' and each name with \", and double such a mark within it, as in 'it''s'.";

  private SharedHints() {}

  /// Returns what to write in the place of something else.
  static String inPlaceOf(String right, String wrong) {
    return "Write %s in place of %s.".formatted(right, wrong);
  }

  /// Returns what to write in the place of a number that is compared with an interval.
  static String interval(String number) {
    return "Write an interval with its unit, such as INTERVAL %s MILLISECOND.".formatted(number);
  }

  /// Returns what to write in the place of a name that is a text.
  static String text(String text) {
    return "Write text in single quotes, such as %s; double quotes are for names."
        .formatted(SqlNames.literal(text));
  }
}
