package dev.quiver.store.version;

import dev.quiver.store.version.PreconditionFailedException.Found;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A condition that a dataset must meet for a write to happen.
public sealed interface WriteCondition {

  /// Always holds.
  record None() implements WriteCondition {}

  /// Holds if the dataset does not exist, or was deleted.
  record IfAbsent() implements WriteCondition {}

  /// Holds if the dataset exists.
  record IfExists() implements WriteCondition {}

  /// Holds if the latest version belongs to one of these commits.
  record IfCommit(Set<String> commitIds) implements WriteCondition {

    public IfCommit {
      commitIds = Set.copyOf(commitIds);
    }
  }

  /// A condition that depends on the latest version, which is read once, when the write begins.
  ///
  /// @param decision returns the condition that has to hold from then on
  record ByLatest(Function<@Nullable VersionSummary, WriteCondition> decision)
      implements WriteCondition {}

  /// Returns the condition that has to hold from now on.
  ///
  /// @param latest the latest version, or null if the dataset does not exist or was deleted
  default WriteCondition resolve(@Nullable VersionSummary latest) {
    return this instanceof ByLatest(var decision) ? decision.apply(latest) : this;
  }

  /// Requires the condition to hold.
  ///
  /// @param latest the latest version, or null if the dataset does not exist or was deleted
  /// @throws PreconditionFailedException if it does not
  default void require(@Nullable VersionSummary latest, DatasetName name) {
    boolean holds =
        switch (this) {
          case None() -> true;
          case IfAbsent() -> latest == null;
          case IfExists() -> latest != null;
          case IfCommit(var commitIds) -> latest != null && commitIds.contains(latest.commitId());
          case ByLatest(var decision) -> {
            decision.apply(latest).require(latest, name);
            yield true;
          }
        };
    if (!holds) {
      if (latest == null) {
        throw new PreconditionFailedException(expected(), "none", Found.NO_DATASET, name);
      }
      throw new PreconditionFailedException(
          expected(),
          "commit " + latest.commitId() + " in version " + latest.version(),
          this instanceof IfAbsent ? Found.A_DATASET : Found.ANOTHER_VERSION,
          name);
    }
  }

  private String expected() {
    return switch (this) {
      case IfAbsent() -> "no dataset";
      case IfExists() -> "a dataset";
      case IfCommit(var commitIds) -> "one of the commits " + String.join(", ", commitIds);
      case None(), ByLatest(_) -> throw new IllegalStateException("Always holds: " + this);
    };
  }
}
