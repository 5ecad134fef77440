package dev.quiver.store;

import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.GarbageCollector;
import dev.quiver.store.catalog.NextVersion;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;

/// The deletion of datasets whose latest version has expired.
record ExpiredDatasets(Catalog catalog, OwnWrites ownWrites) implements GarbageCollector.Expired {

  /// Deletes a dataset, unless it was deleted or written again since.
  @Override
  public void delete(DatasetName name) throws IOException {
    VersionSummary newest = catalog.newest(name);
    if (newest == null || newest.kind() == VersionKind.DELETE) {
      return;
    }
    try (WriteTransaction transaction =
        catalog.begin(name, new WriteCondition.None(), null, Writer.SERVICE)) {
      // A version that has expired counts as none.
      WriteTransaction.Commit commit =
          transaction.commit(current -> current == null ? NextVersion.DELETE : null);
      if (commit != null) {
        ownWrites.tell(commit.summary());
      }
    }
  }
}
