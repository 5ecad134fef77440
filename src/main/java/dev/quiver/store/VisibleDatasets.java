package dev.quiver.store;

import dev.quiver.store.access.Permissions;
import dev.quiver.store.catalog.DatasetFilter;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.catalog.PageTurns;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The datasets that a principal may read. All others are as if they had never existed.
public record VisibleDatasets(Datasets datasets, Permissions permissions) {

  /// Opens a version as [Datasets#open(DatasetReference)] does.
  ///
  /// @throws DatasetNotFoundException also if the dataset may not be read
  public Snapshot open(DatasetReference reference) throws IOException {
    return datasets.open(resolve(reference));
  }

  /// Returns a reference that may be read, without asking the store.
  ///
  /// @throws DatasetNotFoundException if it may not
  public DatasetReference resolve(DatasetReference reference) {
    if (!permissions.mayRead(reference.name())) {
      throw new DatasetNotFoundException(reference);
    }
    return reference;
  }

  /// Passes names of datasets on, as many as the store lists quickly. Some may belong to deleted
  /// datasets.
  public void names(Consumer<String> receiver) throws IOException {
    datasets.listing().names(new DatasetFilter("", "", permissions), receiver);
  }

  /// Lists the latest version of each dataset that is not deleted, in the order of the store.
  ///
  /// @param afterName the last name of the previous page, which need not exist anymore, or null to
  ///   start
  public List<VersionSummary> list(@Nullable DatasetName afterName, int limit) throws IOException {
    List<VersionSummary> listed = new ArrayList<>();
    Position after = afterName == null ? null : new Position(0, afterName);
    datasets
        .listing()
        .list(
            new DatasetFilter("", "", permissions),
            after,
            limit,
            PageTurns.UNLIMITED,
            listed::addAll);
    return listed;
  }
}
