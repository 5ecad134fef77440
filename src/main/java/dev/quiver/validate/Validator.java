package dev.quiver.validate;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.FieldPath;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.validate.kernel.Blocks;
import dev.quiver.validate.kernel.Kernels;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Checks arrays against the rules of the format, whatever they hold: it reports and never throws.
///
/// A column is judged at a level only when nothing was found in it at the levels before, since
/// those make it safe to look.
///
/// Offsets must be right in every slot. Values are judged only where they can be observed: not in
/// null slots, and not under null parents, where anything may lie. Slots that no list view and no
/// dense union refers to are left alone, too, unless their array is longer than
/// [ObservedRange#SCATTERED_SLOTS_MAXIMUM], which is judged whole.
///
/// Arrays nest as deeply as the fields of their schema, whose depth the metadata's reader limits.
public final class Validator {

  /// The most findings of one validation, which ends with them.
  public static final int FINDINGS_MAXIMUM = 100;

  /// What the findings about a whole record batch have for a path.
  private static final FieldPath RECORD_BATCH = new FieldPath(null, "");

  private final Level level;
  private final Findings findings = new Findings();
  private final Blocks blocks;

  private Validator(Level level, Kernels kernels) {
    this.level = level;
    this.blocks = new Blocks(kernels);
  }

  /// What data are checked by: vector instructions of some width, or scalar ones.
  public static String kernels() {
    return Kernels.chosen().description();
  }

  /// Checks a schema that was read, and that as such has none but [Level#DOMAIN] left to break: the
  /// fields alone decide, so that it is not done for every batch.
  ///
  /// @return what was found, the first [#FINDINGS_MAXIMUM]
  public static List<Finding> validate(Schema schema, Level level) {
    Findings findings = new Findings();
    if (level.compareTo(Level.DOMAIN) >= 0) {
      new SchemaRules(findings).check(schema);
    }
    return findings.toList();
  }

  /// Checks the columns of a batch, but not its schema and not the values of its dictionaries.
  ///
  /// What is found at [Level#DOMAIN] comes after all else, so that it leaves room for that.
  ///
  /// @return what was found, the first [#FINDINGS_MAXIMUM]
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

  /// Checks the values of a dictionary. Whether one of them may be null, its field does not say.
  ///
  /// @param path the finder's to choose
  /// @return what was found, the first [#FINDINGS_MAXIMUM]
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

  /// Checks all that has to hold before values can be read and understood.
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
