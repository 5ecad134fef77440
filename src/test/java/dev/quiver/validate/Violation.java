package dev.quiver.validate;

import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import java.util.List;
import java.util.function.Function;

/// Data that breaks a rule, and all that is to be found in it.
record Violation(Function<Level, List<Finding>> validation, Finding finding) {

  static Violation violation(Given given, Rule rule, long index, String sentence) {
    return below("f", given, rule, index, sentence);
  }

  static Violation below(String path, Given given, Rule rule, long index, String sentence) {
    return new Violation(
        level -> Validator.validateDictionary(given.data(), level, "f"),
        new Finding(rule, path, index, sentence));
  }

  /// A column `f` that a schema describes wrongly.
  static Violation ofSchema(Field field, String path, Rule rule, String sentence) {
    return new Violation(
        level -> Validator.validate(Schema.of(field), level),
        new Finding(rule, path, Finding.WHOLE_ARRAY, sentence));
  }

  List<Finding> findings(Level level) {
    return validation.apply(level);
  }

  @Override
  public String toString() {
    return finding.rule() + ": " + finding.sentence();
  }
}
