package dev.quiver.dataset;

import dev.quiver.dataset.catalog.VersionListing;
import dev.quiver.dataset.listing.DatasetFilter;
import dev.quiver.dataset.listing.DatasetOrder.Position;
import dev.quiver.dataset.listing.PageTurns;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.VersionSummary;
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
