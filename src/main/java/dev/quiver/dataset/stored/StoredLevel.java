package dev.quiver.dataset.stored;

import dev.quiver.columnar.RecordBatch;
import dev.quiver.dataset.version.InvalidVersionException;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.validate.Finding;
import dev.quiver.validate.Level;
import dev.quiver.validate.Validator;
import java.util.List;

/// Checks record batches of a version, before somebody looks at their values, as far as that was
/// left out when they were stored.
public record StoredLevel(VersionSummary version) {

  /// Whether all of them were checked when they were stored.
  boolean isEnough() {
    return version.level().compareTo(Level.VALUES) >= 0;
  }

  /// @param index of the batch in the version
  /// @throws InvalidVersionException when something is wrong with it
  public void raise(RecordBatch batch, long index) {
    List<Finding> findings = findings(batch);
    if (!findings.isEmpty()) {
      throw new InvalidVersionException(version, index, findings.getFirst());
    }
  }

  /// Whether nothing is wrong with a batch.
  public boolean isSound(RecordBatch batch) {
    return findings(batch).isEmpty();
  }

  private List<Finding> findings(RecordBatch batch) {
    return isEnough() ? List.of() : Validator.validate(batch, Level.VALUES);
  }
}
