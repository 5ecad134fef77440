package dev.quiver.store;

import dev.quiver.store.access.Permissions;
import dev.quiver.store.catalog.DatasetFilter;
import dev.quiver.store.catalog.PageTurns;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  /// Returns the name of a dataset that a misspelt one probably means, or null. It comes from the
  /// names that this process has seen.
  public @Nullable String nearest(String misspelt) {
    return datasets.listing().knownNames().nearest(misspelt, permissions);
  }

  /// Lists the latest version of each dataset that is not deleted, in the order of the store.
  public List<VersionSummary> list(int limit) throws IOException {
    return list(limit, () -> {});
  }

  /// Lists datasets as [#list(int)] does.
  ///
  /// @param check runs after each thousand, and throws if no further one is wanted
  public List<VersionSummary> list(int limit, Runnable check) throws IOException {
    List<VersionSummary> listed = new ArrayList<>();
    datasets
        .listing()
        .list(
            new DatasetFilter("", "", permissions),
            /* after= */ null,
            limit,
            PageTurns.UNLIMITED,
            page -> {
              check.run();
              listed.addAll(page);
            });
    return listed;
  }
}
