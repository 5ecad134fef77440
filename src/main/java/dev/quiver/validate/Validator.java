package dev.quiver.validate;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.RecordBatch;
import java.lang.foreign.Arena;
import java.util.List;

/// Checks arrays against the rules of the format, whatever they hold: it reports and never throws.
///
/// A column is judged at a level only when nothing was found in it at the levels before, since
/// those make it safe to look.
///
/// Offsets must be right in every slot. Values are judged only where they can be observed: not in
/// null slots, and not under null parents, where anything may lie. Slots that no list view and no
/// dense union refers to are left alone, too, unless their array is longer than
/// [Selection#SCATTERED_SLOTS_MAXIMUM], which is judged whole.
///
/// Arrays nest as deeply as the fields of their schema, whose depth the metadata's reader limits.
public final class Validator {

  /// The most findings of one validation, which ends with them.
  public static final int FINDINGS_MAXIMUM = 100;

  private final Level level;
  private final Findings findings = new Findings();

  private Validator(Level level) {
    this.level = level;
  }

  /// Checks the columns of a batch, but not the values of their dictionaries.
  ///
  /// @return what was found, the first [#FINDINGS_MAXIMUM]
  public static List<Finding> validate(RecordBatch batch, Level level) {
    Validator validator = new Validator(level);
    Findings findings = validator.findings;
    int fieldCount = batch.schema().fields().size();
    if (batch.columns().size() != fieldCount) {
      findings.add(
          Rule.COLUMN_COUNT,
          "",
          fieldCount + " columns",
          Integer.toString(batch.columns().size()),
          "record batch");
    }
    if (batch.length() < 0) {
      findings.add(Rule.LENGTH, "", "0 or more", Long.toString(batch.length()), "length");
    }
    for (ArrayData column : batch.columns()) {
      String path = column.field().name();
      if (column.length() != batch.length()) {
        findings.add(
            Rule.COLUMN_LENGTH,
            path,
            "the record batch's length of " + batch.length(),
            Long.toString(column.length()),
            "length");
      }
      validator.check(column, path);
    }
    return findings.toList();
  }

  /// Checks the values of a dictionary, whose `path` is the finder's to choose.
  ///
  /// @return what was found, the first [#FINDINGS_MAXIMUM]
  public static List<Finding> validateDictionary(ArrayData values, Level level, String path) {
    Validator validator = new Validator(level);
    validator.check(values, path);
    return validator.findings.toList();
  }

  private void check(ArrayData array, String path) {
    int found = findings.count();
    new LayoutRules(findings).check(array, path);
    if (level.compareTo(Level.OFFSETS) >= 0 && findings.count() == found && !findings.isFull()) {
      new OffsetRules(findings).check(array, path);
    }
    if (level.compareTo(Level.VALUES) >= 0 && findings.count() == found && !findings.isFull()) {
      try (Arena arena = Arena.ofConfined()) {
        new ValueRules(findings, arena).check(array, path, Selection.all(array.length()));
      }
    }
  }
}
