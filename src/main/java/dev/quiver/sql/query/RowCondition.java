package dev.quiver.sql.query;

import org.jspecify.annotations.Nullable;

/// A condition on the rows of a read, which match all parts that are present, at least one.
///
/// @param where a condition in SQL, or null
/// @param search a text that a row has in any of its texts, or null
public record RowCondition(@Nullable String where, @Nullable String search) {

  /// The maximum number of characters (code points) to search for. Each may be compared with each
  /// character of the data.
  public static final int SEARCH_LENGTH_MAXIMUM = 200;

  public RowCondition {
    if (where == null && search == null) {
      throw new IllegalArgumentException("Expected a condition or a text to search for");
    }
    if (search != null && !isSearchable(search)) {
      throw new IllegalArgumentException(
          "Expected 1 to %d characters but found %s".formatted(SEARCH_LENGTH_MAXIMUM, search));
    }
  }

  /// Returns whether a text has a length that can be searched for.
  public static boolean isSearchable(String text) {
    int length = text.codePointCount(0, text.length());
    return length >= 1 && length <= SEARCH_LENGTH_MAXIMUM;
  }
}
