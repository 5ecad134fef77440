package dev.quiver.dataset.listing;

import dev.quiver.dataset.listing.DatasetOrder.Position;
import dev.quiver.dataset.version.VersionSummary;
import java.util.Comparator;
import java.util.List;

/// The datasets that passed a filter when all of them were read.
///
/// @param first the first of them by name
/// @param count the number of all
public record DatasetMatches(List<VersionSummary> first, long count) {

  /// Returns whether no datasets are left out.
  public boolean isComplete() {
    return first.size() == count;
  }

  /// Returns the datasets of a query with the same filter, as if there were no others than the
  /// first.
  public List<VersionSummary> select(DatasetQuery query) {
    DatasetOrder order = query.order();
    Comparator<Position> comparator = order.comparator();
    Position after = query.after();
    return first.stream()
        .filter(match -> after == null || comparator.compare(order.position(match), after) > 0)
        .sorted(Comparator.comparing(order::position, comparator))
        .limit(query.limit())
        .toList();
  }
}
