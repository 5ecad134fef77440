package dev.quiver.dataset.version;

import java.util.Set;

/// What must hold of a dataset for a write to happen.
public sealed interface WriteCondition {

  /// Nothing.
  record None() implements WriteCondition {}

  /// The dataset does not exist, or was deleted.
  record IfAbsent() implements WriteCondition {}

  /// The dataset exists.
  record IfExists() implements WriteCondition {}

  /// The newest version was made by one of these commits.
  record IfCommit(Set<String> commitIds) implements WriteCondition {

    public IfCommit {
      commitIds = Set.copyOf(commitIds);
    }
  }
}
