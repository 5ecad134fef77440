package dev.quiver.dataset;

import java.util.List;

/// A write that is on disk.
///
/// @param created whether the dataset did not exist before, or was deleted
/// @param warnings whole sentences on what is allowed but suspicious
public record WriteResult(VersionSummary summary, boolean created, List<String> warnings) {

  public WriteResult {
    warnings = List.copyOf(warnings);
  }
}
