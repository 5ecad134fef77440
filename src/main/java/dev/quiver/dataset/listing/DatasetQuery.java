package dev.quiver.dataset.listing;

import dev.quiver.dataset.version.DatasetName;
import org.jspecify.annotations.Nullable;

/// The datasets of a list.
///
/// @param after the place after which the list starts, or null for all of it
/// @param limit the maximum number of datasets
public record DatasetQuery(
    DatasetFilter filter, DatasetOrder order, DatasetOrder.@Nullable Position after, long limit) {

  /// Returns the query for all datasets by name.
  ///
  /// @param afterName the name after which the list starts, or null for all of it
  public static DatasetQuery byName(@Nullable DatasetName afterName, long limit) {
    DatasetOrder.Position after =
        afterName == null ? null : new DatasetOrder.Position(0, afterName);
    return new DatasetQuery(DatasetFilter.ALL, DatasetOrder.BY_NAME, after, limit);
  }

  /// Returns the query with another limit.
  public DatasetQuery withLimit(long other) {
    return new DatasetQuery(filter, order, after, other);
  }
}
