package dev.quiver.dataset.write;

import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteResult;

/// What became of a file that was to be imported.
public sealed interface ImportResult {

  /// It is a new version.
  ///
  /// @param linked whether nothing was copied
  /// @param damaged what was a link to the file before it was changed in place: this version, and
  ///   those after it that still have its batches; 0 when none was
  record Imported(WriteResult written, boolean linked, long damaged) implements ImportResult {}

  /// It was imported before, and is the same.
  record Unchanged() implements ImportResult {}

  /// The dataset was written, or deleted, after the file, which was never imported.
  record Older(VersionSummary newest) implements ImportResult {}

  /// It changed while it was read.
  record Changed() implements ImportResult {}
}
