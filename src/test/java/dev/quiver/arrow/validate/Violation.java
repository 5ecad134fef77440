package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.List;
import java.util.function.Function;

/// Data that breaks a rule, with its only finding.
record Violation(Function<Level, List<Finding>> validation, Finding finding) {

  static Violation violation(RawArray given, Rule rule, long index, String sentence) {
    return below("f", given, rule, index, sentence);
  }

  static Violation below(String path, RawArray given, Rule rule, long index, String sentence) {
    return new Violation(
        level -> Validator.validateDictionary(given.data(), level, "f"),
        new Finding(rule, path, index, sentence));
  }

  /// Returns a violation by the schema of a column `f`.
  static Violation ofSchema(Field field, String path, Rule rule, String sentence) {
    return new Violation(
        level -> Validator.validate(Schema.of(field), level),
        new Finding(rule, path, Finding.WHOLE_ARRAY, sentence));
  }

  /// Returns a violation by an inconsistent record batch.
  ///
  /// @param fields arrays whose fields form the schema
  static Violation ofBatch(
      long length, List<RawArray> fields, List<RawArray> columns, Finding finding) {
    Schema schema = Schema.of(fields.stream().map(f -> f.data().field()).toArray(Field[]::new));
    RecordBatch batch =
        new RecordBatch(schema, length, columns.stream().map(RawArray::data).toList());
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
