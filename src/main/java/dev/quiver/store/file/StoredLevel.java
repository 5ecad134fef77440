package dev.quiver.store.file;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.store.version.InvalidVersionException;
import dev.quiver.store.version.VersionSummary;
import java.util.List;

/// Completes the validation of a version's record batches before their values are used, if it was
/// incomplete when they were stored.
public record StoredLevel(VersionSummary version) {

  /// Returns whether all values were validated when they were stored.
  boolean coversValues() {
    return version.file().level().compareTo(Level.VALUES) >= 0;
  }

  /// Validates the values of a batch.
  ///
  /// @param index the index of the batch in the version
  /// @throws InvalidVersionException if the batch is invalid
  public void requireValid(RecordBatch batch, long index) {
    List<Finding> findings = findings(batch);
    if (!findings.isEmpty()) {
      throw new InvalidVersionException(version, index, findings.getFirst());
    }
  }

  /// Returns whether a batch is valid.
  public boolean isValid(RecordBatch batch) {
    return findings(batch).isEmpty();
  }

  private List<Finding> findings(RecordBatch batch) {
    return coversValues() ? List.of() : Validator.validate(batch, Level.VALUES);
  }
}
