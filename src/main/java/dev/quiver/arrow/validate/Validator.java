package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.kernel.Blocks;
import dev.quiver.arrow.validate.kernel.Kernels;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// A check of arrays against the rules of the format. It reports findings and never throws, for any
/// content of the arrays.
///
/// A column is checked at a level only if it passed the previous ones, which make reading it safe.
///
/// Offsets must be valid in every slot. Values are checked only in observable slots: those neither
/// null nor under null parents, where anything may lie. Slots that no list view and no dense union
/// refers to are skipped too. Arrays longer than [ObservedRange#SCATTERED_SLOTS_MAXIMUM] are an
/// exception and are checked in full.
///
/// Arrays nest as deeply as the fields of their schema, whose depth the metadata decoder limits.
public final class Validator {

  /// The maximum number of findings, after which validation stops.
  public static final int FINDINGS_MAXIMUM = 100;

  /// The path of findings about a whole record batch.
  private static final FieldPath RECORD_BATCH = new FieldPath(null, "");

  private final Level level;
  private final Findings findings = new Findings();
  private final Blocks blocks;

  private Validator(Level level, Kernels kernels) {
    this.level = level;
    this.blocks = new Blocks(kernels);
  }

  /// Returns a description of the kernels: vector instructions of some width, or scalar code.
  public static String kernels() {
    return Kernels.chosen().description();
  }

  /// Checks a decoded schema. Only rules of [Level#DOMAIN] remain; they depend on the fields alone,
  /// so one check covers all batches.
  ///
  /// @return the first [#FINDINGS_MAXIMUM] findings
  public static List<Finding> validate(Schema schema, Level level) {
    Findings findings = new Findings();
    if (level.compareTo(Level.DOMAIN) >= 0) {
      new SchemaRules(findings).check(schema);
    }
    return findings.toList();
  }

  /// Checks the columns of a batch, but neither its schema nor the values of its dictionaries.
  ///
  /// Findings of [Level#DOMAIN] come last, so they cannot displace more serious ones.
  ///
  /// @return the first [#FINDINGS_MAXIMUM] findings
  public static List<Finding> validate(RecordBatch batch, Level level) {
    return validate(batch, level, Kernels.chosen());
  }

  static List<Finding> validate(RecordBatch batch, Level level, Kernels kernels) {
    Validator validator = new Validator(level, kernels);
    Findings findings = validator.findings;
    int fieldCount = batch.schema().fields().size();
    if (batch.columns().size() != fieldCount) {
      findings.add(
          Rule.COLUMN_COUNT,
          RECORD_BATCH,
          fieldCount + " columns",
          Integer.toString(batch.columns().size()),
          "record batch");
    }
    if (batch.length() < 0) {
      findings.add(Rule.LENGTH, RECORD_BATCH, "0 or more", Long.toString(batch.length()), "length");
    }
    List<ArrayData> sound = new ArrayList<>();
    for (ArrayData column : batch.columns()) {
      FieldPath path = FieldPath.of(column.field());
      if (column.length() != batch.length()) {
        findings.add(
            Rule.COLUMN_LENGTH,
            path,
            "the record batch's length of " + batch.length(),
            Long.toString(column.length()),
            "length");
      }
      if (validator.isSound(column, path)) {
        sound.add(column);
      }
    }
    sound.forEach(column -> validator.checkDomain(column, FieldPath.of(column.field())));
    return findings.toList();
  }

  /// Checks the values of a dictionary. The field does not restrict their nulls.
  ///
  /// @param path any path, used in the findings
  /// @return the first [#FINDINGS_MAXIMUM] findings
  public static List<Finding> validateDictionary(ArrayData values, Level level, String path) {
    return validateDictionary(values, level, path, Kernels.chosen());
  }

  static List<Finding> validateDictionary(
      ArrayData values, Level level, String path, Kernels kernels) {
    Validator validator = new Validator(level, kernels);
    FieldPath root = new FieldPath(null, path);
    if (validator.isSound(values, root)) {
      validator.checkDomain(nullable(values), root);
    }
    return validator.findings.toList();
  }

  private static ArrayData nullable(ArrayData values) {
    Field field = values.field();
    return new ArrayData(
        new Field(
            field.name(),
            true,
            field.type(),
            field.dictionary(),
            field.children(),
            field.metadata()),
        values.length(),
        values.nullCount(),
        values.buffers(),
        values.children(),
        values.dictionary());
  }

  /// Checks everything that makes values readable and meaningful.
  private boolean isSound(ArrayData array, FieldPath path) {
    int found = findings.count();
    new LayoutRules(findings).check(array, path);
    if (level.compareTo(Level.OFFSETS) >= 0 && findings.count() == found) {
      new OffsetRules(findings, blocks).check(array, path);
    }
    if (level.compareTo(Level.VALUES) >= 0 && findings.count() == found) {
      check(array, path, new ValueRules(findings, blocks));
    }
    return findings.count() == found && !findings.isFull();
  }

  private void checkDomain(ArrayData array, FieldPath path) {
    if (level.compareTo(Level.DOMAIN) >= 0) {
      check(array, path, new DomainRules(findings, blocks));
    }
  }

  private void check(ArrayData array, FieldPath path, SlotRules rules) {
    try (Arena arena = Arena.ofConfined()) {
      new ObservableSlots(findings, arena, rules)
          .check(array, path, ObservedRange.all(array.length()));
    }
  }
}
