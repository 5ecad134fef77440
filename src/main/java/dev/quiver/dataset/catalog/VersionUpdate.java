package dev.quiver.dataset.catalog;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A change that makes the next version out of the latest one. It is applied again whenever another
/// commit was faster.
public interface VersionUpdate {

  /// @param newest null if the dataset does not exist or was deleted; open until this returns
  /// @return the next version, or null if there is nothing to commit
  @Nullable NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException;
}
