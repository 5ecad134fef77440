package dev.quiver.dataset;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.GarbageCollector;
import dev.quiver.dataset.catalog.NextVersion;
import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.quota.Writer;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteCondition;
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
