package dev.quiver.store.write;

import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteResult;

/// The result of importing a file.
public sealed interface ImportResult {

  /// The file is a new version.
  ///
  /// @param linked whether the file was linked instead of copied
  /// @param damaged the version that was a link to the file before it was changed in place, or 0 if
  ///   absent. Later versions that still have its batches are damaged, too
  record Imported(WriteResult written, boolean linked, long damaged) implements ImportResult {}

  /// The file was imported before and is unchanged.
  record Unchanged() implements ImportResult {}

  /// The file was never imported, and the dataset was written or deleted after it.
  record Older(VersionSummary newest) implements ImportResult {}

  /// The file changed while it was read.
  record Changed() implements ImportResult {}
}
