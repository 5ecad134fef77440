package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.util.ArrayList;
import java.util.List;

/// Validation of batches and the dictionaries that they refer to.
public final class Validation {

  /// Larger batches would take too long to read. Valid test data does not contain any.
  private static final long READ_SLOTS_MAXIMUM = 100_000;

  private Validation() {}

  /// Returns all findings at the strictest level.
  public static List<Finding> findings(RecordBatch batch) {
    List<Finding> findings = new ArrayList<>(Validator.validate(batch, Level.VALUES));
    batch.columns().forEach(column -> addDictionaryFindings(column, findings));
    return findings;
  }

  public static void assertValid(RecordBatch batch) {
    assertThat(findings(batch)).isEmpty();
  }

  /// Reads all values of a batch if it is valid. Reading must succeed.
  static void readIfValid(RecordBatch batch) {
    if (findings(batch).isEmpty() && isSmall(batch)) {
      assertThat(Decoded.values(batch)).hasSameSizeAs(batch.columns());
    }
  }

  /// Returns whether reading the values takes reasonable time.
  public static boolean isSmall(RecordBatch batch) {
    return batch.columns().stream().allMatch(Validation::isSmall);
  }

  private static void addDictionaryFindings(ArrayData array, List<Finding> findings) {
    ArrayData dictionary = array.dictionary();
    if (dictionary != null) {
      findings.addAll(Validator.validateDictionary(dictionary, Level.VALUES, array.field().name()));
      addDictionaryFindings(dictionary, findings);
    }
    array.children().forEach(child -> addDictionaryFindings(child, findings));
  }

  private static boolean isSmall(ArrayData array) {
    return array.length() <= READ_SLOTS_MAXIMUM
        && array.children().stream().allMatch(Validation::isSmall)
        && (array.dictionary() == null || isSmall(array.dictionary()));
  }
}
