package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.validate.Finding;
import dev.quiver.validate.Level;
import dev.quiver.validate.Validator;
import java.util.ArrayList;
import java.util.List;

/// What validation says of batches and the dictionaries that they refer to.
public final class Validation {

  /// Of more slots than the test data has, nobody waits for the values.
  private static final long READ_SLOTS_MAXIMUM = 100_000;

  private Validation() {}

  /// Everything found at the strictest level.
  public static List<Finding> findings(RecordBatch batch) {
    List<Finding> findings = new ArrayList<>(Validator.validate(batch, Level.VALUES));
    batch.columns().forEach(column -> addDictionaryFindings(column, findings));
    return findings;
  }

  public static void assertValid(RecordBatch batch) {
    assertThat(findings(batch)).isEmpty();
  }

  /// Reads all values of a batch that is valid, which nothing may prevent.
  static void readIfValid(RecordBatch batch) {
    if (findings(batch).isEmpty() && isSmall(batch)) {
      assertThat(Decoded.values(batch)).hasSameSizeAs(batch.columns());
    }
  }

  /// Whether anybody would wait for the values.
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
