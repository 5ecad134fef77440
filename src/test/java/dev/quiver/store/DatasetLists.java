package dev.quiver.store;

import dev.quiver.store.catalog.DatasetFilter;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.catalog.PageTurns;
import dev.quiver.store.catalog.VersionListing;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Short lists, as a whole.
public final class DatasetLists {

  private DatasetLists() {}

  /// Returns the latest version of each dataset that is not deleted, in the order of the store.
  ///
  /// @param after the last name of the previous page, which need not exist anymore, or null to
  ///   start
  public static List<VersionSummary> list(Datasets datasets, @Nullable DatasetName after, int limit)
      throws IOException {
    List<VersionSummary> listed = new ArrayList<>();
    Position position = after == null ? null : new Position(0, after);
    datasets
        .listing()
        .list(DatasetFilter.ALL, position, limit, PageTurns.UNLIMITED, listed::addAll);
    return listed;
  }

  /// Returns the readable versions, newest first, without compactions of versions that still exist.
  ///
  /// @param before the last version of the previous page, or null to start
  public static List<VersionSummary> versions(
      Datasets datasets, DatasetName name, @Nullable Long before, int limit) throws IOException {
    return datasets.versions(name, before, limit, /* compactions= */ false).stream()
        .map(VersionListing.Entry::summary)
        .toList();
  }
}
