package dev.quiver.store.catalog;

import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.VersionChange;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A place in the history of a dataset, which moves forward over each version once. Compactions are
/// passed over, since they change no data. Only one thread at a time may use it.
public final class VersionCursor {

  private final VersionHistory history;
  private VersionSummary seen;
  private @Nullable VersionChange first;

  /// @param seen the version after which to continue
  /// @param first a version to return before those, or null
  VersionCursor(VersionHistory history, VersionSummary seen, @Nullable VersionChange first) {
    this.history = history;
    this.seen = seen;
    this.first = first;
  }

  /// Returns the version up to which all are passed, for [VersionWatch#await].
  public VersionSummary seen() {
    return seen;
  }

  /// Moves to the next version that changed the data.
  ///
  /// @param latest the last version to move to
  /// @return the version, or null if none is left
  /// @throws DatasetGoneException if the next version has expired meanwhile
  public @Nullable VersionChange next(VersionSummary latest) throws IOException {
    VersionChange next = first;
    first = null;
    while (next == null && seen.version() < latest.version()) {
      VersionSummary before = seen;
      seen = before.version() + 1 == latest.version() ? latest : history.next(before);
      next = seen.kind() == VersionKind.COMPACTION ? null : VersionChange.of(before, seen);
    }
    return next;
  }
}
