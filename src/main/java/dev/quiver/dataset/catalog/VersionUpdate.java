package dev.quiver.dataset.catalog;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Makes the next version out of the newest one: again whenever another commit was faster.
public interface VersionUpdate {

  /// @param newest null when the dataset does not exist or was deleted; open until this returns
  /// @return null when there is nothing to commit any more
  @Nullable NextVersion applyTo(Catalog.@Nullable OpenManifest newest) throws IOException;

  /// The version made last was not committed, and the write has failed.
  default void rollback() {}
}
