package dev.quiver.dataset.catalog;

import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.PreconditionFailedException;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteCondition;
import org.jspecify.annotations.Nullable;

/// Whether the condition of a write holds.
public final class Conditions {

  private Conditions() {}

  /// @param current the newest version, or null when the dataset does not exist or was deleted
  /// @throws PreconditionFailedException when the condition does not hold
  public static void require(
      WriteCondition condition, @Nullable VersionSummary current, DatasetName name) {
    String found =
        current == null
            ? "none"
            : "commit " + current.commitId() + " in version " + current.version();
    switch (condition) {
      case WriteCondition.None() -> {}
      case WriteCondition.IfAbsent() -> {
        if (current != null) {
          throw new PreconditionFailedException("no dataset", found, name);
        }
      }
      case WriteCondition.IfExists() -> {
        if (current == null) {
          throw new PreconditionFailedException("a dataset", found, name);
        }
      }
      case WriteCondition.IfCommit(var commitIds) -> {
        if (current == null || !commitIds.contains(current.commitId())) {
          throw new PreconditionFailedException(
              "one of the commits " + String.join(", ", commitIds), found, name);
        }
      }
    }
  }
}
