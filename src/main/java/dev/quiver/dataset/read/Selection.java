package dev.quiver.dataset.read;

import java.util.List;

/// Which columns and rows of a version are wanted.
///
/// @param columns comma-separated lists of what a projection takes; none for all columns
/// @param offset how many rows are left out before the first
/// @param limit how many rows there are at most
public record Selection(List<String> columns, long offset, long limit) {

  /// Everything.
  public static final Selection ALL = new Selection(List.of(), 0, Long.MAX_VALUE);

  public Selection {
    columns = List.copyOf(columns);
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException(
          "Expected 0 or more but found offset %d and limit %d".formatted(offset, limit));
    }
  }
}
