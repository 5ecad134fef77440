package dev.quiver.store.catalog;

import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.version.DatasetName;
import java.util.Arrays;
import java.util.List;

/// The datasets that passed a filter when all of them were looked at.
///
/// @param first the first of them by name
/// @param count the number of all
public record DatasetMatches(LatestVersions first, long count) {

  /// A dataset of a list.
  ///
  /// @param version its latest one
  /// @param position its place in the order of the list
  public record Match(DatasetName name, long version, Position position) {}

  /// Returns whether no datasets are left out.
  public boolean isComplete() {
    return first.size() == count;
  }

  /// Returns the datasets of a query with the same filter, as if there were no others than the
  /// first.
  public List<Match> select(DatasetQuery query) {
    return Arrays.stream(first.select(query))
        .mapToObj(index ->
            new Match(
                first.name(index), first.version(index), first.position(index, query.order())))
        .toList();
  }
}
