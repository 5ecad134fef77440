package dev.quiver.validate;

import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import java.util.List;
import java.util.function.Function;

/// Data that breaks a rule, with its only finding.
record Violation(Function<Level, List<Finding>> validation, Finding finding) {

  static Violation violation(Given given, Rule rule, long index, String sentence) {
    return below("f", given, rule, index, sentence);
  }

  static Violation below(String path, Given given, Rule rule, long index, String sentence) {
    return new Violation(
        level -> Validator.validateDictionary(given.data(), level, "f"),
        new Finding(rule, path, index, sentence));
  }

  /// Returns a column `f` with an invalid schema.
  static Violation ofSchema(Field field, String path, Rule rule, String sentence) {
    return new Violation(
        level -> Validator.validate(Schema.of(field), level),
        new Finding(rule, path, Finding.WHOLE_ARRAY, sentence));
  }

  /// Returns an inconsistent record batch.
  ///
  /// @param fields the schema, of which only the fields are used
  static Violation ofBatch(long length, List<Given> fields, List<Given> columns, Finding finding) {
    Schema schema = Schema.of(fields.stream().map(f -> f.data().field()).toArray(Field[]::new));
    RecordBatch batch = new RecordBatch(schema, length, columns.stream().map(Given::data).toList());
    return new Violation(level -> Validator.validate(batch, level), finding);
  }

  List<Finding> findings(Level level) {
    return validation.apply(level);
  }

  @Override
  public String toString() {
    return finding.rule() + ": " + finding.sentence();
  }
}
