package dev.quiver.store.catalog;

import org.jspecify.annotations.Nullable;

/// The datasets of a list.
///
/// @param after the place after which the list starts, or null for all of it
/// @param limit the maximum number of datasets
public record DatasetQuery(
    DatasetFilter filter, DatasetOrder order, DatasetOrder.@Nullable Position after, long limit) {

  /// Returns the query with another limit.
  public DatasetQuery withLimit(long other) {
    return new DatasetQuery(filter, order, after, other);
  }
}
