package dev.quiver.store.catalog;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Derives the next version from the latest one. It is applied again whenever another commit was
/// faster.
public interface VersionUpdate {

  /// @param newest the latest version, open until this returns, or null if the dataset does not
  ///   exist or was deleted
  /// @return the next version, or null to commit nothing
  /// @throws OutdatedVersionException if this has waited, and is to be applied to the version that
  ///   is the latest then
  @Nullable NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException;
}
