package dev.quiver.dataset.read;

import java.util.List;

/// The requested columns and rows of a version.
///
/// @param columns comma-separated lists in the syntax of [dev.quiver.transform.Projection]; empty
///   for all columns
/// @param offset the number of rows to skip
/// @param limit the maximum number of rows
public record Selection(List<String> columns, long offset, long limit) {

  /// All columns and rows.
  public static final Selection ALL = new Selection(List.of(), 0, Long.MAX_VALUE);

  public Selection {
    columns = List.copyOf(columns);
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException(
          "Expected 0 or more but found offset %d and limit %d".formatted(offset, limit));
    }
  }

  /// Returns the same selection of the rows after the first ones.
  ///
  /// @param rows the number of rows before those
  Selection after(long rows) {
    return rows == 0
        ? this
        : new Selection(columns, offset + Math.min(rows, Long.MAX_VALUE - offset), limit);
  }
}
