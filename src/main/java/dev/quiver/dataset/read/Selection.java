package dev.quiver.dataset.read;

import java.util.List;

/// The requested columns and rows of a version.
///
/// @param columns comma-separated lists in the syntax of [dev.quiver.transform.Projection]; empty
///   for all columns
/// @param offset the number of rows to skip; if negative, the first row counted from the end, such
///   as -100 for the last hundred
/// @param limit the maximum number of rows
public record Selection(List<String> columns, long offset, long limit) {

  /// All columns and rows.
  public static final Selection ALL = new Selection(List.of(), 0, Long.MAX_VALUE);

  public Selection {
    columns = List.copyOf(columns);
    if (limit < 0) {
      throw new IllegalArgumentException("Expected a limit of 0 or more but found " + limit);
    }
  }
}
